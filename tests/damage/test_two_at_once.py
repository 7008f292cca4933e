"""Any number of processes may read one trace at the same time."""

import subprocess

import pytest
from processes import GAPFINDER, TIMEOUT_S, Sandbox
from samples import full
from traces import FIXTURES
from variations import some

import gapfinder as api
from gapfinder.system.scratch import scratch


@pytest.mark.parametrize("kind", some(1, ["t.sqlite", "t.duckdb"]))
def test_two_processes_read_one_trace_at_once(tmp_path, kind):
    sandbox = Sandbox(tmp_path)
    path = full().write(tmp_path / "t.sqlite")
    if kind != path.name:
        api.convert(path, tmp_path / kind, config="/dev/null")
    command = [*GAPFINDER, "diagnose", str(tmp_path / kind), "--format", "json"]
    both = [
        subprocess.Popen(
            command, env=sandbox.environment, cwd=sandbox.work, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    first, second = [process.communicate(timeout=TIMEOUT_S) for process in both]
    assert first == second
    assert first[0].startswith("{")
    assert first[1] == ""
    assert sandbox.left_behind() == []


def test_nobody_takes_the_folder_that_another_uses(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with scratch() as first:
        (first / "half-written").touch()
        with scratch() as second:
            assert (first / "half-written").exists()
            assert first != second
    assert list(tmp_path.iterdir()) == []


def test_what_is_left_of_the_dead_may_be_looked_at(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    left = tmp_path / "gapfinder-scratch-dead" / "report.sqlite"
    left.parent.mkdir()
    left.write_bytes((FIXTURES / "tokenize_fixed.sqlite").read_bytes())
    with api.open(left) as trace, scratch():
        assert trace.diagnose().verdict
    assert left.exists()


def test_what_is_left_of_the_dead_is_removed(tmp_path, monkeypatch):
    """But nothing of another name."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / "gapfinder-scratch-dead").mkdir()
    (tmp_path / "gapfinder-scratch-dead" / "report.sqlite").touch()
    (tmp_path / "gapfinder-mine").mkdir()
    with scratch():
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["gapfinder-mine"]
