"""Tables and columns come and go with the export's version. Without one there is less to tell: no traceback, no clean bill."""

import sqlite3
from contextlib import closing

import pytest
from synthetic import MAIN, MS, US, Synthetic, thread

from gapfinder.config import read_config
from gapfinder.diagnosis.build import diagnose
from gapfinder.errors import TraceError
from gapfinder.ingest.load import export_tables
from gapfinder.options import Options
from gapfinder.trace import open_trace

STEP = 10 * MS


def full():
    """A trace with every table that is read. It loses half of its time, above all to code."""
    trace = Synthetic()
    trace.thread(1)
    trace.thread(2, name="pt_autograd_0")
    trace.visible(pid=1, ordinal=0, gpu=0)
    trace.domain("GIL Synthetic", 1)
    trace.session(1_700_000_000_000_000_000)
    trace.nccl(10 * US, 11 * US, communicator=0xA, size=1 << 20)
    for start in range(0, 8 * STEP, STEP):
        trace.nvtx("step", start, start + 9 * MS)
        trace.nvtx("Waiting for GIL", start + 7 * MS, start + 7100 * US, domain=1)
        trace.copy(start + 50 * US, start + 60 * US, (start, start + 5 * US), host="Pageable")
        trace.fill(start + 60 * US, start + 61 * US, (start + 6 * US, start + 7 * US))
        trace.kernel(start + 100 * US, start + 4 * MS, (start + 10 * US, start + 15 * US))
        trace.graph(start + 4 * MS, start + 5 * MS, (start + 20 * US, start + 25 * US), stream=8, thread=thread(2))
        trace.stream_wait(start + 30 * US, start + 31 * US, stream=8)
        trace.call("cudaDeviceSynchronize_v3020", start + 40 * US, start + 5 * MS + 5 * US)
        trace.os("write", start + 6 * MS, start + 6100 * US)
        trace.overhead(start + 8 * MS, start + 8100 * US)
        trace.sample(start + 7500 * US, ("/home/me/train.py", "main", 12), thread=MAIN)
    return trace


HAVE = {table: sorted({column for row in rows for column in row}) for table, rows in full().rows().items()}
MAIN_TABLES = ("CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_RUNTIME", "NVTX_EVENTS", "StringIds")


def verdict(path):
    """None where the trace was refused as unusable."""
    try:
        with open_trace(path, Options(), read_config(), lambda _: None) as analysis:
            found = diagnose(analysis)
    except TraceError:
        return None
    for device in found.devices:
        assert device.compute_ns + sum(device.causes.values()) == device.window_ns
    return found.verdict


def without(tmp_path, *statements):
    path = full().write(tmp_path / "t.sqlite")
    with closing(sqlite3.connect(path)) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()
    return path


def test_the_trace_has_all_that_is_read():
    assert set(HAVE) == set(export_tables())


def test_nothing_missing(tmp_path):
    assert verdict(full().write(tmp_path / "t.sqlite")) == "host_sync"


@pytest.mark.parametrize("table", export_tables())
def test_a_missing_table(tmp_path, table):
    assert verdict(without(tmp_path, f'DROP TABLE "{table}"')) != "gpu_bound"


@pytest.mark.parametrize("table", ["CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_RUNTIME", "StringIds"])
def test_an_empty_table(tmp_path, table):
    assert verdict(without(tmp_path, f'DELETE FROM "{table}"')) != "gpu_bound"


def dropped(table, column):
    return f'ALTER TABLE "{table}" DROP COLUMN "{column}"'


@pytest.mark.parametrize(("table", "column"), [(table, column) for table in MAIN_TABLES for column in HAVE[table]])
def test_a_missing_column(tmp_path, table, column):
    assert verdict(without(tmp_path, dropped(table, column))) != "gpu_bound"


@pytest.mark.parametrize("place", range(max(map(len, HAVE.values()))))
def test_a_missing_column_of_each_other_table(tmp_path, place):
    """All at once, for speed; none of them is needed."""
    others = {table: columns for table, columns in HAVE.items() if table not in MAIN_TABLES}
    statements = [dropped(table, columns[place]) for table, columns in others.items() if place < len(columns)]
    assert verdict(without(tmp_path, *statements)) not in {None, "gpu_bound"}


@pytest.mark.parametrize("table", ["CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_RUNTIME", "NVTX_EVENTS", "OSRT_API"])
def test_damaged_rows(tmp_path, table):
    damages = ('"end" = NULL', '"start" = NULL', '"end" = "start" - 1000', '"start" = -5000000000')
    path = without(tmp_path, *(f'UPDATE "{table}" SET {damage} WHERE rowid = {row}' for row, damage in enumerate(damages, 4)))
    assert verdict(path) != "gpu_bound"


def test_kernels_without_calls():
    """Cannot tell, which is not healthy."""
    trace = Synthetic()
    for start in range(0, 8 * STEP, STEP):
        trace.kernel(start, start + 5 * MS)
    with trace.analysed() as analysis:
        found = diagnose(analysis)
    assert found.verdict == "unexplained"
    assert [cause.cause for cause in found.causes] == ["unexplained"]
    assert [device.compute_ns + device.causes["unexplained"] for device in found.devices] == [75 * MS]
    assert any("CUDA API calls" in note for note in found.notes)
