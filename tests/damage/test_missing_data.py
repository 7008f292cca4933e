"""Tables and columns come and go with the export's version. Without one there is less to tell: no traceback, no clean bill."""

import pytest
from outcome import assert_not_healthy, outcome
from samples import BROKEN, HAVE, STEP, altered, altered_copy, full
from synthetic import MS, Synthetic

from gapfinder.diagnosis.build import diagnose
from gapfinder.ingest.load import export_tables

NEEDED = ("CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_RUNTIME", "StringIds")
FOR_JOBS = ("NVTX_PAYLOAD_SCHEMA_ENTRIES", "TARGET_INFO_SESSION_START_TIME")  # only a job of several traces asks for them
OTHERS = sorted(set(export_tables()) - set(NEEDED) - set(FOR_JOBS))
SPARSE = {"text", "textId", "jsonText", "jsonTextId", "end", "binaryData"}  # columns of NVTX_EVENTS that some rows may lack


@pytest.fixture(scope="session")
def known(tmp_path_factory):
    """Notes on the whole trace, which say nothing of damage."""
    return set(outcome(full().write(tmp_path_factory.mktemp("whole") / "t.sqlite")).notes)


def dropped(table, column):
    return f'ALTER TABLE "{table}" DROP COLUMN "{column}"'


def test_the_trace_has_all_that_is_read():
    assert set(HAVE) >= set(export_tables())


def test_nothing_missing(tmp_path):
    found = outcome(full().write(tmp_path / "t.sqlite"))
    assert found.verdict == "host_sync"
    assert not [note for note in found.notes if "again" in note]


@pytest.mark.parametrize("table", [*NEEDED, *OTHERS])
def test_a_missing_table(tmp_path, table, known):
    assert_not_healthy(altered(tmp_path, f'DROP TABLE "{table}"'), known)


@pytest.mark.parametrize("table", FOR_JOBS)
def test_a_table_that_a_trace_by_itself_does_not_need(tmp_path, table, known):
    found = outcome(altered(tmp_path, f'DROP TABLE "{table}"'))
    assert (found.verdict, set(found.notes)) == ("host_sync", known)


@pytest.mark.parametrize("table", ["CUPTI_ACTIVITY_KIND_RUNTIME", "StringIds"])
def test_an_empty_table(tmp_path, table, known):
    """As if it were missing."""
    assert_not_healthy(altered(tmp_path, f'DELETE FROM "{table}"'), known)


@pytest.mark.parametrize(("table", "column"), [(table, column) for table in NEEDED for column in HAVE[table]])
def test_a_missing_column(tmp_path, table, column, known):
    assert_not_healthy(altered(tmp_path, dropped(table, column)), known)


@pytest.mark.parametrize("place", range(max(len(HAVE[table]) for table in OTHERS)))
def test_a_missing_column_of_each_other_table(tmp_path, place, known):
    """All at once, for speed; none of them is needed, and each is told."""
    columns = {table: HAVE[table][place] for table in OTHERS if place < len(HAVE[table])}
    found = assert_not_healthy(altered(tmp_path, *(dropped(table, column) for table, column in columns.items())), known)
    told = [table for table, column in columns.items() if table != "NVTX_EVENTS" or column not in SPARSE]
    assert [table for table in told if not any(f"rows of {table} " in note for note in found.notes)] == []


@pytest.mark.parametrize(
    ("trace", "table"), list(zip(BROKEN, ("CUPTI_ACTIVITY_KIND_RUNTIME", "OSRT_API", "TARGET_INFO_GPU"), strict=False))
)
def test_a_real_trace_that_lost_a_table_and_a_column(tmp_path, trace, table):
    """Each trace another one of both."""
    assert_not_healthy(altered_copy(trace, tmp_path, f'DROP TABLE "{table}"'))
    column = HAVE["CUPTI_ACTIVITY_KIND_KERNEL"][BROKEN.index(trace)]
    found = assert_not_healthy(altered_copy(trace, tmp_path, dropped("CUPTI_ACTIVITY_KIND_KERNEL", column)))
    assert isinstance(found, str) or any("CUPTI_ACTIVITY_KIND_KERNEL" in note for note in found.notes)


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
