"""Whatever it is given, the command line ends with a result or with one line that says what is wrong: never with a traceback."""

import hashlib
import os
import re
import sqlite3
from contextlib import closing

import pytest
from outcome import WRONG_USAGE, assert_refused
from processes import Done, Sandbox
from samples import loop
from synthetic import MS, Synthetic
from traces import EXPORT, FIXTURES
from variations import some

from gapfinder.system import programs


@pytest.fixture(autouse=True)
def nobodys_config(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "nowhere"))


@pytest.fixture
def good(tmp_path):
    return loop().write(tmp_path / "good.sqlite")


def test_a_path_where_nothing_is(tmp_path):
    done = Sandbox(tmp_path).gapfinder("diagnose", tmp_path / "nothing.sqlite")
    assert_refused(Done(done.returncode, done.stdout, done.stderr))


def test_a_path_of_several_lines(tmp_path, command_line):
    assert_refused(command_line("diagnose", tmp_path / "two\nlines\x1b[31m.sqlite"))


HEADER = b"SQLite format 3\0"
FILES = {
    "empty": b"",
    "newline": b"\n",
    "text": b"some text\n" * 1000,
    "only a header": HEADER,
    "broken header": HEADER + b"\xff" * 5000,
    "parquet": b"PAR1" + b"\0" * 99,
    "binary": bytes(range(256)) * 64,
}


@pytest.mark.parametrize("content", FILES.values(), ids=FILES)
def test_a_file_of_another_kind(tmp_path, content, command_line):
    path = tmp_path / "trace.sqlite"
    path.write_bytes(content)
    assert_refused(command_line("diagnose", path))


def test_a_report_that_nsys_cannot_read(tmp_path, command_line, monkeypatch):
    path = tmp_path / "report.nsys-rep"
    path.write_bytes(b"NVIDIA Tegra Profiler Report" + b"\0" * 1000)
    monkeypatch.setenv("GAPFINDER_NSYS", "/nonexistent/nsys")
    assert_refused(command_line("diagnose", path))
    nsys = tmp_path / "nsys"
    nsys.write_text('#!/bin/sh\necho "one line"; echo "another"\n[ "$1" = --version ]\n')
    nsys.chmod(0o755)
    monkeypatch.setenv("GAPFINDER_NSYS", str(nsys))
    assert_refused(command_line("diagnose", path))


# Each is one line of the shell; $5 is --output=… of `nsys export`, without the option of SQLite.
STUBS = {
    "never tells what it can": "exec sleep 600",
    "makes a pipe": '[ "$2" = --help ] || mkfifo "${5#--output=}"',
    "makes what is no export": '[ "$2" = --help ] || echo no export > "${5#--output=}"',
    "makes a broken export": '[ "$2" = --help ] || printf "SQLite format 3\\0broken" > "${5#--output=}"',
    "starts what goes on": "sleep 60 &",
}


@pytest.mark.parametrize("script", some(2, [*STUBS.values()]), ids=STUBS)
def test_an_nsys_that_is_none(tmp_path, command_line, monkeypatch, script):
    path = tmp_path / "report.nsys-rep"
    path.write_bytes(b"NVIDIA Tegra Profiler Report" + b"\0" * 1000)
    nsys = tmp_path / "nsys"
    nsys.write_text(f"#!/bin/sh\n{script}\n")
    nsys.chmod(0o755)
    monkeypatch.setenv("GAPFINDER_NSYS", str(nsys))
    monkeypatch.setattr(programs, "ANSWER_S", 1)
    done = command_line("diagnose", path)
    assert_refused(done)
    assert str(path) in done.errors
    assert "report.sqlite" not in done.errors


def test_a_raw_capture(tmp_path, command_line):
    path = tmp_path / "capture.qdstrm"
    path.write_bytes(b"QDSTRM" * 100)
    assert_refused(command_line("diagnose", path))


def test_a_folder_without_parquet(tmp_path, command_line):
    assert_refused(command_line("diagnose", tmp_path))


def test_a_folder_of_broken_parquet(tmp_path, command_line):
    for content in (b"", b"PAR1" * 10):
        (tmp_path / "StringIds.parquet").write_bytes(content)
        assert_refused(command_line("diagnose", tmp_path))


def test_a_pipe(tmp_path, command_line):
    """It is refused at once, and not waited for."""
    os.mkfifo(tmp_path / "pipe")
    assert_refused(command_line("diagnose", tmp_path / "pipe"))


@pytest.fixture(scope="session")
def real(tmp_path_factory):
    """The bytes of the smallest real trace, or of one of many pages where there is none."""
    smallest = sorted(FIXTURES.glob("*.sqlite"), key=lambda path: path.stat().st_size)
    return (smallest[0] if smallest else loop().write(tmp_path_factory.mktemp("whole") / "t.sqlite")).read_bytes()


@pytest.mark.parametrize("part", [0.0005, 0.01, 0.1, 0.5, 0.9, 0.99])
def test_a_truncated_export(tmp_path, real, part, command_line):
    path = tmp_path / "cut.sqlite"
    path.write_bytes(real[: max(20, int(len(real) * part))])
    assert_refused(command_line("diagnose", path))


@pytest.mark.parametrize("lost", [1, 100, 500])
def test_an_export_without_its_last_bytes(good, lost, command_line):
    """SQLite takes what is missing of a page for zeros: the rows there vanish without a word."""
    good.write_bytes(good.read_bytes()[:-lost])
    assert_refused(command_line("diagnose", good))


@pytest.mark.parametrize("table", ["user (name)", "StringIds (id, value)", "StringIds (other)", "NVTX_EVENTS (start)"])
def test_a_database_of_another_kind(tmp_path, table, command_line):
    with closing(sqlite3.connect(tmp_path / "other.sqlite")) as database:
        database.execute(f"CREATE TABLE {table}")
    assert_refused(command_line("diagnose", tmp_path / "other.sqlite"))


def test_a_capture_without_cuda(tmp_path, command_line):
    trace = Synthetic()
    trace.os("write", 0, 100)
    trace.nvtx("step", 0, 100)
    assert_refused(command_line("diagnose", trace.write(tmp_path / "t.sqlite")))


def test_calls_without_kernels(tmp_path, command_line):
    trace = Synthetic()
    trace.call("cudaMalloc_v3020", 0, 100)
    assert_refused(command_line("diagnose", trace.write(tmp_path / "t.sqlite")))


@pytest.mark.parametrize("name", some(1, ['it\'s "hi" a?b#c 50%25 Zeit-ü-时间 \x1b[31m\n', "x?mode=rwc", "[a]*"]), ids=ascii)
def test_odd_names(good, name, command_line):
    path = good.rename(good.with_name(name))
    done = command_line("diagnose", path)
    assert (done.status, done.errors) == (0, "")
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", done.output)


def test_a_name_of_bytes_that_are_no_text(good):
    done = Sandbox(good.parent).gapfinder("diagnose", good.rename(os.fsdecode(os.fsencode(good.parent) + b"/\xff.sqlite")))
    assert (done.returncode, done.stderr) == (0, "")


def test_the_trace_and_its_folder_stay_as_they_are(good, command_line):
    before = hashlib.sha256(good.read_bytes()).hexdigest()
    good.chmod(0o444)
    assert command_line("diagnose", good).status == 0
    assert hashlib.sha256(good.read_bytes()).hexdigest() == before
    assert [path.name for path in good.parent.iterdir()] == [good.name]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--window", "nonsense"],
        ["--window", "9..3"],
        ["--window", "99.."],
        ["--window", "8s..9s"],
        ["--window", "99999999999999999999.."],
        ["--window", "1s..99999999999999999999s"],
        ["--step", "no such range"],
        ["--device", "7"],
        ["--device", "99999999999"],
        ["--min-gap", "20"],
        ["--config", "nowhere.toml"],
    ],
    ids=" ".join,
)
def test_wrong_usage(good, arguments, command_line):
    assert_refused(command_line("diagnose", good, *arguments), WRONG_USAGE)


def test_a_window_with_an_activity_of_no_length_only(good, command_line):
    trace = Synthetic()
    trace.kernel(50 * MS, 50 * MS)
    loop(trace)
    assert_refused(command_line("diagnose", trace.write(good.with_name("t.sqlite")), "--window", "49.5ms..50.5ms"), WRONG_USAGE)


def test_a_gpu_that_works_outside_of_the_window_only(good, command_line):
    trace = loop()
    trace.kernel(2 * MS, 3 * MS, gpu=1)
    path = trace.write(good.with_name("t.sqlite"))
    assert_refused(command_line("diagnose", path, "--window", "5..7", "--device", "1"), WRONG_USAGE)


def test_an_output_that_cannot_be_written(good, command_line):
    assert_refused(command_line("diagnose", good, "-o", good.parent / "no folder" / "out"), WRONG_USAGE)
    assert_refused(command_line("diagnose", good, "-o", "/proc/no-such-file"))


@pytest.mark.parametrize("command", [("diagnose",), ("gaps",), ("whatif", "--without", "host_sync"), ("compare", EXPORT)])
def test_an_output_that_is_the_trace(good, command_line, command):
    before = good.read_bytes()
    assert_refused(command_line(*command, good, "-o", good.parent / "." / good.name), WRONG_USAGE)
    assert good.read_bytes() == before


def test_gaps_of_a_cause_that_does_not_exist(good, command_line):
    assert_refused(command_line("gaps", good, "--cause", "nope"), WRONG_USAGE)


def test_a_config_with_a_broken_pattern(good, command_line):
    config = good.with_name("config.toml")
    config.write_text('[names]\ninput_pipeline = ["("]\n')
    assert_refused(command_line("diagnose", good, "--config", config), WRONG_USAGE)


def test_a_config_for_a_cause_that_does_not_exist(good, command_line):
    config = good.with_name("config.toml")
    config.write_text('[names]\nno_such_cause = ["x"]\n')
    assert_refused(command_line("diagnose", good, "--config", config), WRONG_USAGE)


@pytest.mark.parametrize("content", ["names = 1", "[names]\ninput_pipeline = 3", "[names", '[names]\ninput_pipeline = "step"'])
def test_a_config_of_another_form(good, content, command_line):
    config = good.with_name("config.toml")
    config.write_text(content)
    assert_refused(command_line("diagnose", good, "--config", config), WRONG_USAGE)
