"""Times count from when the session began, or from another instant: the diagnosis is the same."""

import shutil
import sqlite3
from contextlib import closing

import pytest
from traces import FIXTURES, diagnosis
from variations import some

TIMES = {"start", "end", "timestamp", "rawTimestamp"}
SHIFT_NS = -10_000_000_000  # all of a fixture before 0


def shifted(trace, target):
    """A copy of a trace whose session began later."""
    shutil.copyfile(trace, target)
    with closing(sqlite3.connect(target)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for (table,) in tables:
            if table.startswith(("ENUM_", "META_", "TARGET_INFO_", "ANALYSIS_")):
                continue
            columns = {name for _, name, *_ in connection.execute(f'PRAGMA table_info("{table}")')} & TIMES
            for column in columns:
                connection.execute(f'UPDATE "{table}" SET "{column}" = "{column}" + ?', [SHIFT_NS])
        connection.commit()
    return target


def told(trace):
    found = diagnosis(trace)
    causes = [(cause.cause, cause.lost_ns, cause.predicted_step_ns) for cause in found.causes]
    return found.verdict, causes, found.replay_error, found.fixes, found.damage


# batches of others, time of the profiler, NVTX steps, the GIL
@pytest.mark.parametrize("file", some(2, ["data_service", "profiler_faulty", "item_broken", "pysample_gil", "threaded_server"]))
def test_times_before_zero_are_times(tmp_path, file):
    trace = FIXTURES / f"{file}.sqlite"
    assert told(shifted(trace, tmp_path / f"{file}.sqlite")) == told(trace)
