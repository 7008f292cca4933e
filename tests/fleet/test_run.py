"""What a run does, and what it leaves alone."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb
import fsspec
import psutil
import pytest
from click.testing import CliRunner
from runs import TRACES, run

from gapfinder.cli.commands import fleet as command
from gapfinder.cli.main import gapfinder
from gapfinder.errors import TraceError, UsageError
from gapfinder.fleet.naming import Naming
from gapfinder.options import Options


def rows(folder, columns):
    files = f"{folder}/*/*/*.parquet"
    return duckdb.read_parquet(files, hive_partitioning=True).project(columns).order("ALL").fetchall()


def test_what_is_done_is_not_done_again(fleet, kept):
    before = {file: file.stat().st_mtime_ns for file in kept.glob("*/*/*.parquet")}
    assert len(before) == TRACES
    assert run([fleet[0] / "**/*.sqlite"], kept) == 0
    assert {file: file.stat().st_mtime_ns for file in kept.glob("*/*/*.parquet")} == before


@pytest.fixture
def two(fleet, tmp_path):
    """A fleet of its own with a good and a damaged trace, and the folder of these."""
    traces = tmp_path / "runs" / "job"
    traces.mkdir(parents=True)
    shutil.copy(fleet[1].good[0], traces / "rank0.sqlite")
    (traces / "rank1.sqlite").write_text("no trace")
    assert run([traces / "*"], tmp_path / "fleet") == 2
    return traces, tmp_path / "fleet"


def test_what_changed_is_done_again(two):
    traces, kept = two
    assert run([traces / "*"], kept, again=True) == 1  # the damaged one
    os.utime(traces / "rank0.sqlite", (1, 1))
    assert run([traces / "*"], kept) == 1
    assert run([traces / "*"], kept, Options(device=0)) == 2
    (kept / "job=job" / "rank=0" / "x.parquet.1.partial").write_text("of a run that was killed")
    assert run([traces / "rank0.sqlite"], kept, Options(device=0)) == 0
    assert [file for file in kept.rglob("*") if file.suffix == ".partial"] == []
    assert run([traces / "*"], kept, Options(device=0), naming=Naming.parse(r"(?P<rank>\d)\.sqlite$")) == 0


def test_a_fleet_beside_its_traces_is_none_of_them(tmp_path):
    (tmp_path / "rank0.sqlite").write_text("no trace")
    for examined in 1, 0:
        assert run([tmp_path / "*"], tmp_path / "fleet") == examined


@pytest.mark.thorough
def test_a_trace_moves_with_its_job(two):
    traces, kept = two
    assert run([traces / "*"], kept, naming=Naming.parse(r"(?P<job>runs/job)/")) == 2
    assert {job for (job,) in rows(kept, "job")} == {"runs/job"}
    assert not list(kept.glob("job=job/*/*.parquet"))


def test_a_damaged_trace_is_a_row_that_names_no_other_path(two, monkeypatch):
    traces, kept = two
    monkeypatch.chdir(traces.parent)
    assert run(["job/rank1.sqlite"], kept, again=True) == 1
    found = dict(rows(kept, "trace, error"))
    assert found["job/rank1.sqlite"].startswith(
        "job/rank1.sqlite is neither an Nsight Systems report (.nsys-rep) nor an SQLite or Parquet export of one"
    )
    assert str(traces) not in found["job/rank1.sqlite"]
    assert found[str(traces / "rank0.sqlite")] is None


def test_an_object_store(fleet, tmp_path, monkeypatch):
    """A trace is copied to be read, and the copy removed."""
    made = fleet[1]
    store = fsspec.filesystem("memory")
    store.pipe("/bucket/runs/llama/rank0.sqlite", made.good[0].read_bytes())
    store.pipe("/bucket/runs/llama/rank1.sqlite", b"no trace")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    assert run(["memory://bucket/runs/**/*.sqlite"], tmp_path / "fleet") == 2
    good, bad = rows(tmp_path / "fleet", "rank, job, trace, error, verdict IS NULL")
    assert good == (0, "llama", "memory:///bucket/runs/llama/rank0.sqlite", None, False)
    assert bad[3].startswith("memory:///bucket/runs/llama/rank1.sqlite is neither")
    assert list((tmp_path / "temporary").iterdir()) == []
    assert run(["memory://bucket/runs/**/*.sqlite"], tmp_path / "fleet") == 0
    store.pipe("/bucket/runs/llama/rank1.sqlite", b"no trace either")
    assert run(["memory://bucket/runs/**/*.sqlite"], tmp_path / "fleet") == 1


def test_a_copy_that_fails(tmp_path, monkeypatch):
    store = fsspec.filesystem("memory")
    store.pipe("/gone/llama/rank0.sqlite", b"x")
    monkeypatch.setattr(type(store), "get", lambda *_, **__: (_ for _ in ()).throw(OSError("403 for key at /home/me/.aws/keys")))
    run(["memory://gone/llama/*"], tmp_path / "fleet")
    assert rows(tmp_path / "fleet", "error") == [("memory:///gone/llama/rank0.sqlite cannot be read: 403 for key at keys",)]


@pytest.mark.parametrize("place", ["file", "full", "other"])
def test_where_no_fleet_can_be(fleet, tmp_path, place):
    target = tmp_path / place
    if place == "file":
        target.write_text("")
    else:
        target.mkdir()
        name, text = ("notes.txt", "") if place == "full" else ("gapfinder-fleet.json", '{"schema": "gapfinder.fleet/0"}')
        (target / name).write_text(text)
    with pytest.raises((UsageError, TraceError)):
        run([fleet[1].good[0]], target)


def test_nothing_matches(tmp_path):
    with pytest.raises(UsageError, match="no trace matches"):
        run([tmp_path / "*.sqlite"], tmp_path / "fleet")
    assert not (tmp_path / "fleet").exists()


def test_the_command(fleet, kept):
    done = CliRunner().invoke(gapfinder, ["fleet", str(fleet[0] / "**/*.sqlite"), "-o", str(kept), "--workers", "0"])
    assert done.exit_code == 0
    start = f"{kept}: {TRACES} traces of 2 jobs; 0 examined now, {TRACES} unchanged 2 traces cannot be used: SELECT * FROM "
    assert " ".join(done.output.split()).startswith(f"{start}bad_traces ")


def test_without_the_extra(fleet, tmp_path, monkeypatch):
    monkeypatch.setattr(command, "PACKAGES", ("distributed", "no_such_package"))
    done = CliRunner().invoke(gapfinder, ["fleet", str(fleet[1].good[0]), "-o", str(tmp_path / "fleet")])
    assert isinstance(done.exception, UsageError)
    assert str(done.exception) == "gapfinder fleet needs no_such_package: pip install no_such_package"


def test_its_processes_are_this_machines_cores(fleet, tmp_path, monkeypatch):
    """As the command starts them, behind keys of their own; what they put into the temporary folder is removed."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    file = Path(fleet[1].good[0])
    assert run([file], tmp_path / "fleet", workers=1) == 1
    assert rows(tmp_path / "fleet", "error") == [(None,)]
    assert not [*temporary.iterdir()]


def test_ctrl_c_ends_its_workers_in_silence(fleet, tmp_path):
    """The terminal sends it to all processes: here as soon as there is a worker, which still imports what it needs."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # children of a script's background ignore it else
    arguments = ["fleet", fleet[1].good[0], "-o", tmp_path / "fleet", "--workers", "1"]
    process = subprocess.Popen(
        [sys.executable, "-m", "gapfinder", *map(str, arguments)], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    signal.signal(signal.SIGINT, before)
    try:
        started = []
        while not started:
            assert process.poll() is None
            time.sleep(0.01)
            children = psutil.Process(process.pid).children(recursive=True)
            started = [child for child in children if "spawn_main" in " ".join(child.cmdline())]
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, errors.strip()) == (130, "gapfinder: interrupted")
    _, alive = psutil.wait_procs(started, timeout=60)
    assert [child for child in alive if child.status() != psutil.STATUS_ZOMBIE] == []
