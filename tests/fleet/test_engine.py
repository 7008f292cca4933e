"""Dask does what the plain loop does, whatever becomes of its workers."""

import logging
import os
import signal

import dask
import duckdb
import pytest
from distributed import Client, LocalCluster
from runs import TRACES, run

from gapfinder.errors import UsageError
from gapfinder.fleet import engine


@pytest.fixture(scope="module")
def cluster():
    """A scheduler and two worker processes on loopback."""
    shape = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0"}
    with dask.config.set(engine.PROFILER_OFF), LocalCluster(**shape, silence_logs=logging.CRITICAL) as found:
        yield found


def test_it_is_the_plain_loop_row_for_row(fleet, kept, cluster, tmp_path):
    """One worker is killed in the middle, and two of the files are damaged."""
    folder, made = fleet
    with Client(cluster) as client:
        pids = list(client.run(os.getpid).values())
    left = []

    def told():
        left.append(len(cluster.scheduler.tasks))
        if len(left) == TRACES // 2:
            os.kill(pids[0], signal.SIGKILL)

    run([f"file://{folder}/**/*.sqlite"], tmp_path / "fleet", scheduler=cluster.scheduler_address, told=told)
    assert len(left) == TRACES
    assert left[-1] < 3  # a result that was kept is let go, or it would be computed again with the worker that has it
    with duckdb.connect() as connection:
        for name, place in (("engine", tmp_path / "fleet"), ("loop", kept)):
            # a file:// pattern is named as that, and all else is the same
            columns = "* REPLACE (replace(trace, 'file://', '') AS trace, replace(error, 'file://', '') AS error)"
            files = f"{place}/*/*/*.parquet"
            connection.execute(f"CREATE TABLE {name} AS SELECT {columns} FROM read_parquet('{files}', hive_partitioning = true)")
        assert connection.execute("FROM engine EXCEPT ALL FROM loop").fetchall() == []
        assert connection.execute("FROM loop EXCEPT ALL FROM engine").fetchall() == []
        good = connection.execute("SELECT trace FROM engine WHERE error IS NULL").fetchall()
    assert {name for (name,) in good} == set(map(str, made.good))


def test_a_trace_that_ends_its_workers_is_a_row_that_says_so(fleet, cluster, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster.scheduler, "allowed_failures", 0)
    monkeypatch.setattr(engine, "examine_on_worker", lambda trace, setup: os._exit(9))  # noqa: ARG005
    file = fleet[1].good[0]
    run([file], tmp_path / "fleet", scheduler=cluster.scheduler_address)
    (row,) = duckdb.read_parquet(f"{tmp_path}/fleet/*/*/*.parquet").project("trace, error").fetchall()
    assert row == (str(file), f"{file} ended 1 worker that read it: give workers more memory")


def test_no_scheduler(fleet, tmp_path, monkeypatch):
    monkeypatch.setattr(engine, "CONNECT_S", 0.2)
    with pytest.raises(UsageError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        run([fleet[1].good[0]], tmp_path / "fleet", scheduler="tcp://127.0.0.1:9")
