"""Whatever is asked of a trace, it stays as it was, to the byte; and so does all that lies beside it."""

import hashlib

import click
import pytest
from samples import full
from variations import some

from gapfinder import convert
from gapfinder.cli.main import gapfinder as commands

ARGUMENTS = {
    "compare": ("{trace}", "{trace}"),
    "convert": ("{trace}", "kept"),
    "export": ("{trace}", "--csv", "out.csv"),
    "sql": ("{trace}", "SELECT count(*) FROM gaps"),
    "whatif": ("{trace}", "--without", "host_sync"),
}
CONTEXT = click.Context(commands)
READING = [
    name
    for name in commands.list_commands(CONTEXT)
    if {"path", "paths"} & {parameter.name for parameter in commands.get_command(CONTEXT, name).params} or name in ARGUMENTS
]


@pytest.mark.parametrize("command", some(2, READING))
def test_command_leaves_its_input_unchanged(tmp_path, monkeypatch, command_line, command):
    (tmp_path / "input").mkdir()
    (tmp_path / "work").mkdir()
    trace = full().write(tmp_path / "input" / "t.sqlite")
    before, status = hashlib.sha256(trace.read_bytes()).digest(), trace.stat()
    monkeypatch.chdir(tmp_path / "work")
    done = command_line(command, *(word.format(trace=trace) for word in ARGUMENTS.get(command, ("{trace}",))))
    assert done.status in {0, 1, 2, 3}
    assert done.status == 0 or command not in {"diagnose", "gaps", "doctor", *ARGUMENTS}
    assert hashlib.sha256(trace.read_bytes()).digest() == before
    assert trace.stat().st_mtime_ns == status.st_mtime_ns
    assert [path.name for path in trace.parent.iterdir()] == ["t.sqlite"]


@pytest.mark.parametrize("command", some(1, ["gaps", "diagnose", "whatif", "compare", "sql"]))
@pytest.mark.parametrize("kind", ["sqlite", "duckdb", "nsys-rep"])
def test_a_text_replaces_no_other_trace(tmp_path, command_line, command, kind):
    trace = full().write(tmp_path / "t.sqlite")
    other = tmp_path / f"other.{kind}"
    if kind == "duckdb":
        convert(trace, other)
    else:
        other.write_bytes(trace.read_bytes() if kind == "sqlite" else b"NVIDIA Tegra Profiler Report" + bytes(100))
    kept = other.read_bytes()
    done = command_line(command, *(word.format(trace=trace) for word in ARGUMENTS.get(command, ("{trace}",))), "-o", other)
    assert (done.status, done.output) == (2, "")
    assert "would be lost" in done.errors
    assert other.read_bytes() == kept


@pytest.mark.parametrize("ending", ["-wal", "-journal"])
def test_no_output_is_taken_for_a_journal_of_its_input(tmp_path, command_line, ending):
    trace = full().write(tmp_path / "t.sqlite")
    target = tmp_path / f"t.sqlite{ending}"
    done = command_line("gaps", trace, "--format", "csv", "-o", target)
    assert (done.status, done.output, target.exists()) == (2, "", False)
    assert "would be taken for a journal of" in done.errors
