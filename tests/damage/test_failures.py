"""However a command fails, it says so in one line and ends with the exit status that the documents name."""

import json
import os
import pwd
import signal
import subprocess
import time
from pathlib import Path
from threading import Thread

import duckdb
import pytest
from processes import GAPFINDER, TIMEOUT_S
from samples import full
from variations import some

from gapfinder.cli import failures
from gapfinder.errors import GapfinderError, GateError, OutputError, TraceError, UsageError
from gapfinder.system.interrupting import uninterrupted

USAGE, UNUSABLE, DEFECT, INTERRUPTED = 2, 3, 70, 130
QUERY_RUNS_AT_S = 3  # opening a small trace takes one second of CPU time


@pytest.fixture
def sandbox(sandbox):
    sandbox.trace = full().write(sandbox.home / "t.sqlite")
    return sandbox


def test_a_user_without_a_home_needs_none(command_line, sandbox, monkeypatch):
    """As a number that a container gives to its user."""
    for variable in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(variable)
    monkeypatch.setattr(pwd, "getpwuid", {}.__getitem__)
    assert command_line("diagnose", sandbox.trace).status == 0


def in_shell(sandbox, script, *arguments, **environment):
    """A command as `"$@"` in a script of the shell."""
    command = ["bash", "-c", script, "bash", *GAPFINDER, *map(os.fsencode, arguments)]
    variables = sandbox.environment | environment
    return subprocess.run(
        command, capture_output=True, check=False, timeout=TIMEOUT_S, env=variables, cwd=sandbox.work, stdin=subprocess.DEVNULL
    )


def assert_told(done, status):
    """Nothing but one line, and the status."""
    assert (done.returncode, done.stdout) == (status, b"")
    assert done.stderr.startswith(b"gapfinder: ")
    assert done.stderr.count(b"\n") == 1


def cpu_seconds(pid):
    """Of all threads of a process."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11]) / os.sysconf("SC_CLK_TCK")


class Panic(BaseException):
    """As polars raises."""


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (GateError("1 of 1 gate failed"), 1),
        (UsageError("wrong"), USAGE),
        (TraceError("cut"), UNUSABLE),
        (OutputError("full"), UNUSABLE),
        (GapfinderError("other"), UNUSABLE),
        (OSError(28, "No space left on device"), UNUSABLE),
        (MemoryError(), UNUSABLE),
        (duckdb.OutOfMemoryException("out"), UNUSABLE),
        (KeyboardInterrupt(), 130),
        (ZeroDivisionError("three\nlines\nof it"), DEFECT),
        (RecursionError("deep"), DEFECT),
        (Panic("out of range"), DEFECT),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_failure_has_a_status_and_a_line(error, status, capsys):
    def command():
        raise error

    assert failures.exit_status(command) == status
    errors = capsys.readouterr().err
    assert errors.startswith("gapfinder: ")
    assert errors.count("\n") == 1
    assert ("Please report" in errors) == (status == DEFECT)


def test_a_defect_names_its_line_and_has_a_traceback_for_who_asks(capsys, monkeypatch):
    def command():
        failures._last_own_line(None)  # noqa: SLF001  something that fails within gapfinder

    assert failures.exit_status(command) == DEFECT
    assert "cli/failures.py:" in capsys.readouterr().err
    monkeypatch.setenv(failures.TRACEBACK, "1")
    assert failures.exit_status(command) == DEFECT
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("script", "status"),
    some(2, [('"$@" >&-', UNUSABLE), ('"$@" >/dev/full', UNUSABLE), ('"$@" <&-', 0), ('"$@" 2>&-', 0), ('"$@" 2>/dev/full', 0)]),
)
def test_streams_that_are_closed_or_full(sandbox, script, status):
    done = in_shell(sandbox, script, "diagnose", sandbox.trace)
    assert done.returncode == status
    assert b"Traceback" not in done.stderr
    assert bool(done.stdout) == (status == 0)


def test_closed_streams_do_not_become_the_file_that_is_written(sandbox):
    done = in_shell(sandbox, '"$@" <&- >&- 2>&-', "diagnose", sandbox.trace, "-o", "out.txt")
    assert done.returncode == 0
    assert (sandbox.work / "out.txt").read_text().startswith("t.sqlite")


def test_statements_cannot_come_from_a_closed_stream(sandbox):
    assert_told(in_shell(sandbox, '"$@" <&-', "sql", sandbox.trace), USAGE)


def test_a_reader_that_ends_early_does_not_let_a_gate_pass(sandbox):
    script = '"$@" | true; exit ${PIPESTATUS[0]}'
    assert in_shell(sandbox, script, "guide", "output").returncode == 0
    assert in_shell(sandbox, script, "diagnose", sandbox.trace, "--fail-on", "lost>1%").returncode == 1


@pytest.mark.parametrize(
    "command",
    some(1, [["guide", "output"], ["views"], ["views", "glossary"], ["workload", "list"], ["diagnose", "T", "--format", "json"]]),
)
def test_other_encodings_change_nothing(sandbox, command):
    command = [sandbox.trace if word == "T" else word for word in command]
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"}
    done = in_shell(sandbox, '"$@"', *command, **ascii_only)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == in_shell(sandbox, '"$@"', *command).stdout


@pytest.mark.thorough
def test_a_page_is_the_same_in_every_locale(sandbox):
    done = in_shell(sandbox, '"$@"', "report", sandbox.trace, LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert (done.returncode, done.stderr) == (0, b"")
    assert "…".encode() in done.stdout


@pytest.mark.parametrize(
    "arguments",
    some(
        3,
        [
            ["diagnose", "T", "--step", b"\xff"],
            ["diagnose", "T", "--window", "1s..999999999999999999s"],
            ["diagnose", "T", "--min-gap", "999999999999999999s"],
            ["diagnose", "T", "--device", "9" * 30],
            ["diagnose", "foo**bar"],
            ["sql", "T", b"SELECT '\xff'"],
            ["sql", "T", "SELECT 1", "--config", "/nowhere"],
        ],
    ),
    ids=str,
)
def test_arguments_that_no_trace_fits(sandbox, arguments):
    assert_told(in_shell(sandbox, '"$@"', *(sandbox.trace if word == "T" else word for word in arguments)), USAGE)


def test_more_rows_than_there_can_be(sandbox, command_line):
    done = command_line("gaps", sandbox.trace, "--limit", "9" * 30, "--format", "json")
    assert (done.status, done.errors) == (0, "")
    assert json.loads(done.output)


def test_a_temporary_folder_whose_name_is_no_text(sandbox):
    odd = os.fsencode(sandbox.temporary) + b"/\xff"
    os.mkdir(odd)  # noqa: PTH102  bytes
    assert_told(in_shell(sandbox, '"$@"', "diagnose", sandbox.trace, TMPDIR=odd), USAGE)


def test_no_temporary_folder(sandbox, command_line, monkeypatch):
    def refused():
        raise FileNotFoundError(2, "No usable temporary directory found")

    monkeypatch.setattr("gapfinder.system.memory.scratch", refused)
    done = command_line("diagnose", sandbox.trace)
    assert (done.status, done.output, done.errors.count("\n")) == (UNUSABLE, "", 1)
    assert done.errors.startswith("gapfinder: no temporary folder can be made")


@pytest.mark.parametrize(
    "error", [MemoryError(), RuntimeError("can't start new thread"), duckdb.OutOfMemoryException("no")], ids=repr
)
def test_no_memory(error, capsys):
    """In a process of its own, a limit on addresses also ends the C library, at a moment that differs from run to run."""

    def command():
        raise error

    assert failures.exit_status(command) == UNUSABLE
    assert capsys.readouterr().err.startswith("gapfinder: there is not enough memory: set --memory-limit lower")


CONFIGS = {
    "another kind of pattern": "[names]\ninput_pipeline = ['(?<=a)b']",
    "a pattern that is too large": "[names]\ninput_pipeline = ['(a{1000}){1000}']",
    "a pattern with a number that is too large": "[names]\ninput_pipeline = ['a{99999999999}']",
    "a pattern that is too deep": f"[names]\ninput_pipeline = ['{'(' * 3000}a{')' * 3000}']",
    "no text": "[names]\ninput_pipeline = [[1]]",
    "too deep": f"x = {'[' * 5000}{']' * 5000}",
    "too many digits": f"x = {'9' * 5000}",
}


@pytest.mark.parametrize("text", CONFIGS.values(), ids=CONFIGS)
def test_configs_that_cannot_be_used(sandbox, text, command_line):
    config = sandbox.home / "config.toml"
    config.write_text(text)
    done = command_line("diagnose", sandbox.trace, "--config", config)
    assert (done.status, done.output, done.errors.count("\n")) == (USAGE, "", 1)
    assert str(config) in done.errors


def test_facts_of_a_cause_that_are_too_deep(sandbox, command_line):
    config = sandbox.home / "config.toml"
    config.touch()
    (sandbox.home / "causes").mkdir()
    (sandbox.home / "causes" / "deep.sql").write_text(f"/* cause\nx = {'[' * 5000}{']' * 5000}\n*/\n")
    done = command_line("diagnose", sandbox.trace, "--config", config)
    assert (done.status, done.errors.count("\n")) == (USAGE, 1)


def test_ctrl_c_breaks_off_no_cleanup():
    cleaned = []
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(KeyboardInterrupt):
            uninterrupted(lambda: time.sleep(0.5) or cleaned.append("all"))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert cleaned == ["all"]


@pytest.mark.parametrize("started", [False, True])
def test_ctrl_c_at_the_beginning_of_a_cleanup_breaks_it_off_no_more(monkeypatch, started):
    """Before its thread has started, or just after."""
    cleaned, start = [], Thread.start

    def interrupted(thread):
        monkeypatch.setattr(Thread, "start", start)
        if started:
            start(thread)
        raise KeyboardInterrupt

    monkeypatch.setattr(Thread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        uninterrupted(lambda: cleaned.append("all"))
    assert cleaned == ["all"]


def test_ctrl_c_while_a_failure_is_told(monkeypatch, command_line):
    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(failures, "clean_text", interrupted)
    assert command_line("diagnose", "not there").status == INTERRUPTED


def heeding(number):
    """The start of a command that heeds a signal. Tests that run in the background of a script, or by `nohup`, ignore some."""
    return ("env", f"--default-signal={number.value}")


def test_ctrl_c_while_the_program_is_imported(sandbox):
    """Python would print a traceback."""
    script = """
import os, signal, sys
import gapfinder.__main__
class Importing:
    def find_spec(self, name, *_):
        if name == "gapfinder.cli.main":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Importing())
gapfinder.__main__.main()
"""
    command = [*heeding(signal.SIGINT), GAPFINDER[0], "-c", script]
    done = subprocess.run(command, capture_output=True, check=False, timeout=TIMEOUT_S, env=sandbox.environment, cwd=sandbox.work)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, b"", b"")


@pytest.mark.parametrize("number", some(1, [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]))
def test_signals_that_end_a_command_leave_nothing(sandbox, number):
    """A terminal that is closed, too. What `nohup` starts goes on."""
    query = "SELECT count(*) FROM range(1000000000000) t WHERE hash(range) = 1"
    command = [*heeding(number), *GAPFINDER, "sql", str(sandbox.trace), query]
    with subprocess.Popen(command, env=sandbox.environment, cwd=sandbox.work, stderr=subprocess.PIPE) as process:
        while cpu_seconds(process.pid) < QUERY_RUNS_AT_S:
            time.sleep(0.1)
        process.send_signal(number)
        _, errors = process.communicate(timeout=TIMEOUT_S)
    assert (process.returncode, errors.strip()) == (130, b"gapfinder: interrupted")
    assert sandbox.left_behind() == []


def test_ctrl_c_again_ends_what_cannot_be_interrupted(sandbox):
    """DuckDB does not look for an interrupt within one call of a function, which here takes minutes."""
    query = "SELECT length(repeat('9', 3000000)::BIGNUM::VARCHAR)"
    command = [*heeding(signal.SIGINT), *GAPFINDER, "sql", str(sandbox.trace), query]
    with subprocess.Popen(command, env=sandbox.environment, cwd=sandbox.work, stderr=subprocess.PIPE) as process:
        while cpu_seconds(process.pid) < QUERY_RUNS_AT_S:
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        time.sleep(1)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=TIMEOUT_S)
    assert (process.returncode, errors.strip()) == (130, b"gapfinder: interrupted")
