"""The benchmark's long traces say what the short ones say that they are made of."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from traces import FIXTURES, diagnosis
from variations import some

SCRIPT = Path(__file__).parent / "benchmarks" / "lay_end_to_end.py"
TIMES = 3


# Of traces that hold little but their steps: what comes before the first one stands between the copies.
@pytest.mark.parametrize("name", some(1, ["launch_optimizer", "starved_cuda12"]))
def test_end_to_end(name, tmp_path):
    original, long = FIXTURES / f"{name}.sqlite", tmp_path / "long.sqlite"
    subprocess.run([sys.executable, SCRIPT, original, long, "--times", str(TIMES)], check=True, timeout=60)
    assert kernels(long) == TIMES * kernels(original)
    assert span_ns(long) > 2.9 * span_ns(original) > 0
    found, expected = diagnosis(long), diagnosis(original)
    assert found.verdict == expected.verdict
    assert found.window.steps > 2 * expected.window.steps
    assert found.window.source == expected.window.source


def kernels(trace):
    """Kernels that belong to one call each: of the copies, none may share an id."""
    query = """
        SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL AS k
        INNER JOIN CUPTI_ACTIVITY_KIND_RUNTIME AS r
        ON r.correlationId = k.correlationId AND r.globalTid / 0x1000000 = k.globalPid / 0x1000000 AND r.start < k.start
    """
    return value(trace, query)


def span_ns(trace):
    return value(trace, 'SELECT max("end") - min(start) FROM CUPTI_ACTIVITY_KIND_KERNEL')


def value(trace, query):
    with closing(sqlite3.connect(trace)) as connection:
        return connection.execute(query).fetchone()[0]
