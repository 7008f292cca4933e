"""Jobs whose traces are not what they should be: the same one twice, or one that lost collectives."""

import shutil
import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest
from jobs import data_parallel
from synthetic import MS
from traces import FIXTURES
from variations import some

import gapfinder
from gapfinder.errors import UsageError


def late():
    """Two ranks, of which the second is late."""
    return data_parallel(lambda _: {1: 3 * MS}, steps=12)


@pytest.fixture
def ranks(tmp_path):
    """Their traces."""
    with late().written() as paths:
        return [shutil.copy(path, tmp_path) for path in paths]


@cache
def whole():
    """The job of these ranks."""
    with late().written() as paths:
        return gapfinder.diagnose_job(*paths)


@pytest.mark.parametrize("copy", some(1, ["other.sqlite", "kept.duckdb", "edited.sqlite", "streams.sqlite"]))
def test_a_recording_that_is_given_twice(ranks, tmp_path, copy):
    """As another file, in another form, with other ends of its kernels, or on other streams."""
    other = tmp_path / copy
    shutil.copy(ranks[0], other) if other.suffix == ".sqlite" else gapfinder.convert(ranks[0], other)
    if change := {"edited": '"end" = "end" + 1', "streams": "streamId = streamId + 100"}.get(other.stem):
        with closing(sqlite3.connect(other)) as trace:
            trace.execute(f"UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET {change}")
            trace.commit()
    with pytest.raises(UsageError, match="hold the same recording"):
        gapfinder.diagnose_job(*ranks, other)


@pytest.fixture
def captured(tmp_path):
    """Two captured ranks, of which the second is late."""
    return [Path(shutil.copy(FIXTURES / f"straggler_rank{rank}.sqlite", tmp_path)) for rank in range(2)]


def change_times(path, formula):
    """Change all times of the tables of a trace with events."""
    with closing(sqlite3.connect(path)) as trace:
        tables = [name for (name,) in trace.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            columns = {column for _, column, *_ in trace.execute(f'PRAGMA table_info("{table}")')} & {"start", "end"}
            if columns and not table.startswith(("TARGET_INFO", "META", "ANALYSIS")):
                changes = ", ".join(f'"{column}" = CAST({formula.format(column)} AS INT)' for column in columns)
                trace.execute(f'UPDATE "{table}" SET {changes}')
        trace.commit()


def test_a_copy_whose_times_are_shifted(captured, tmp_path):
    """As nsys exports it with --ts-shift."""
    copy = Path(shutil.copy(captured[0], tmp_path / "shifted.sqlite"))
    change_times(copy, '"{}" + 777')
    with pytest.raises(UsageError, match="hold the same recording"):
        gapfinder.diagnose_job(captured[0], copy)


@pytest.mark.parametrize("rate", some(1, [1.17, 1.05, 0.8]))
def test_a_rank_whose_clock_runs_at_another_rate(captured, rate):
    change_times(captured[1], f'"{{}}" * {rate}')
    job = gapfinder.diagnose_job(*captured, gates=["rank_imbalance>10%", "step>60ms"])
    assert job.incomplete.startswith("the clock of rank 1 runs ")
    assert job.verdict != "gpu_bound"  # the GPUs compute for a third of the time
    assert ["cannot be known" in gate.result for gate in job.gates] == [True, True]


def test_a_rank_that_lost_collectives(ranks):
    assert whole().incomplete is None
    with closing(sqlite3.connect(ranks[1])) as trace:
        named = "SELECT id FROM StringIds WHERE value LIKE 'nccl%'"
        trace.execute(f"DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE shortName IN ({named}) AND rowid BETWEEN 12 AND 24")
        trace.commit()
    job = gapfinder.diagnose_job(*ranks, gates=["communication>90%"])
    assert job.incomplete.startswith("rank 1 has ")
    assert job.headline.startswith(f"Not certain, because {job.incomplete}")
    assert any("the verdict is not certain" in note for note in job.notes)  # what to do about it
    (gate,) = job.gates
    assert not gate.passed
    assert "cannot be known" in gate.result


@pytest.mark.parametrize("other", some(2, ["job", "alone", "silent"]))
def test_ranks_that_are_not_of_the_job(ranks, tmp_path, other):
    """Two ranks of another job, or one of them, or one in which nothing communicates: each may be the late one."""
    with data_parallel(lambda _: {0: 5 * MS}, steps=12).written() as paths:
        more = [Path(shutil.copy(path, tmp_path / f"z_{path.name}")) for path in paths[: 2 if other == "job" else 1]]
    for path in more:
        with closing(sqlite3.connect(path)) as trace:
            # its kernels begin and end at other times; its collectives have another communicator, or are none
            trace.execute('UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = start + 3, "end" = "end" + 3')
            trace.execute("UPDATE TARGET_INFO_SESSION_START_TIME SET utcEpochNs = utcEpochNs + 30000000000")
            if other == "silent":
                trace.execute("UPDATE StringIds SET value = 'gemm' || id WHERE value LIKE 'nccl%'")
            trace.commit()
    job = gapfinder.diagnose_job(*ranks, *more, gates=["communication<90%"])
    assert all(path.name in job.incomplete for path in more)
    assert job.headline.startswith("Not certain, because ")
    (gate,) = job.gates
    assert not gate.passed


def test_a_rank_whose_clock_jumps(ranks):
    """In the middle of its recording, by more than a step. The steps fit nowhere as a whole, and at one end by chance."""
    with closing(sqlite3.connect(ranks[1])) as trace:
        ((middle,),) = trace.execute("SELECT CAST(avg(start) AS INT) FROM CUPTI_ACTIVITY_KIND_KERNEL")
        for table in ("CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_RUNTIME", "NVTX_EVENTS"):
            trace.execute(f'UPDATE {table} SET start = start + {15 * MS}, "end" = "end" + {15 * MS} WHERE start > {middle}')
        trace.commit()
    job = gapfinder.diagnose_job(*ranks, gates=["communication<90%"])
    assert "communication activities that the ranks recorded in the same time match" in job.incomplete
    assert not job.gates[0].passed


@pytest.mark.parametrize("began_ns", some(1, ["9000000000000000000", "0", "NULL"]))
def test_a_rank_whose_session_began_at_no_time(ranks, began_ns):
    with closing(sqlite3.connect(ranks[1])) as trace:
        trace.execute(f"UPDATE TARGET_INFO_SESSION_START_TIME SET utcEpochNs = {began_ns}")
        trace.commit()
    job = gapfinder.diagnose_job(*ranks, gates=["communication>90%"])
    assert "cannot be known" in job.gates[0].result


def test_a_rank_whose_session_began_at_another_time(ranks):
    """One bit of its start is wrong, or it is of another run: its clock is aligned by its collectives alone."""
    with closing(sqlite3.connect(ranks[1])) as trace:
        trace.execute("UPDATE TARGET_INFO_SESSION_START_TIME SET utcEpochNs = utcEpochNs + (1 << 53)")
        trace.commit()
    job = gapfinder.diagnose_job(*ranks, gates=["communication>90%"])
    assert job.verdict == whole().verdict
    assert job.late.rank == whole().late.rank
    assert job.incomplete == "by the start of its session, rank 1 was recorded 9007199 s after the first"
    assert "cannot be known" in job.gates[0].result
