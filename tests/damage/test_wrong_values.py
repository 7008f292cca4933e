"""Values that no profiler wrote: their rows are left out and told of, or the trace is refused. Nothing counts that cannot be."""

import sqlite3
from contextlib import closing

import pytest
from outcome import assert_not_healthy, contradicted, outcome
from samples import BROKEN, HAVE, altered, altered_copy, full
from synthetic import US
from traces import FIXTURES, diagnosis
from variations import some

import gapfinder
from gapfinder.diagnosis.diagnosis import Diagnosis

TIMED = sorted(table for table, columns in HAVE.items() if {"start", "end"} <= set(columns))
KERNELS, CALLS = "CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_RUNTIME"
ACTIVITIES = [KERNELS, "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET"]
TIMES = {
    "no start": '"start" = NULL',
    "no end": '"end" = NULL',
    "ends before its start": '"end" = "start" - 1000',
    "starts at the least number": '"start" = -9223372036854775808',
    "ends at the greatest number": '"end" = 9223372036854775807',
    "ends in 146 years": '"end" = 4611686018427387904',
    "starts in 146 years": '"start" = 4611686018427387904',
    "is shifted by 146 years": '"start" = "start" + 4611686018427387904, "end" = "end" + 4611686018427387904',
    "a real number": '"end" = 1e300',
}


def row(table):
    """The fifth row, or the last one of fewer."""
    return f'(SELECT min(5, max(rowid)) FROM "{table}")'


@pytest.mark.parametrize("damage", some(2, TIMES.values()), ids=TIMES)
def test_row_with_impossible_times_is_left_out_and_told(tmp_path, damage):
    tables = TIMED if 'end" = NULL' not in damage else sorted({*TIMED} - {"NVTX_EVENTS"})  # whose marks have none
    found = outcome(altered(tmp_path, *(f'UPDATE "{table}" SET {damage} WHERE rowid = {row(table)}' for table in tables)))
    assert isinstance(found, Diagnosis)
    assert found.verdict == "host_sync"
    assert all(f"Rows of {table} without a usable start and end" in str(found.notes) for table in tables)


@pytest.mark.parametrize("name", some(1, ["no start", "ends before its start", "ends in 146 years", "is shifted by 146 years"]))
def test_kernels_with_impossible_times_give_no_clean_bill(tmp_path, name):
    assert_not_healthy(altered(tmp_path, f'UPDATE "{KERNELS}" SET {TIMES[name]}'))


@pytest.mark.parametrize(
    "change", some(1, ['"start" = -1', '"start" = 0 WHERE rowid % 2 = 0', '"end" = 1e15', '"end" = 1e15 WHERE rowid = 3'])
)
def test_graph_that_would_cover_every_gap_gives_no_clean_bill(tmp_path, change):
    """A graph that seems to run from the beginning on, or for days, would cover every gap."""
    assert_not_healthy(altered(tmp_path, f"UPDATE CUPTI_ACTIVITY_KIND_GRAPH_TRACE SET {change}"))


@pytest.mark.parametrize("size", ["1 << 60", "0"])
def test_size_that_no_copy_has_is_told(tmp_path, size):
    trace = altered_copy(FIXTURES / "pageable_copy_faulty.sqlite", tmp_path, f"UPDATE {ACTIVITIES[1]} SET bytes = {size}")
    assert any("copies and memsets of no bytes, or of more than their time allows" in told for told in contradicted(trace))


@pytest.mark.parametrize(
    ("fixture", "change"),
    [("pageable_copy_faulty", 'bytes = 1 WHERE "end" - "start" > 100000'), ("item_broken", "bytes = 5000000 WHERE bytes < 1000")],
)
def test_size_that_does_not_fit_the_time_of_a_copy_is_told(tmp_path, fixture, change):
    trace = altered_copy(FIXTURES / f"{fixture}.sqlite", tmp_path, f"UPDATE {ACTIVITIES[1]} SET {change}")
    assert any("copies to or from the host of an impossible bandwidth" in told for told in contradicted(trace))


@pytest.mark.parametrize(("table", "column"), some(1, [(table, column) for table in sorted(HAVE) for column in HAVE[table]]))
@pytest.mark.parametrize("rows", some(1, ["one", "all"]))
def test_number_at_either_end_is_read(tmp_path, table, column, rows):
    which = {"one": f"WHERE rowid = {row(table)}", "all": ""}[rows]
    for number in (-(2**63), 2**63 - 1, 2**53 - 1):
        (tmp_path / str(number)).mkdir()
        outcome(altered(tmp_path / str(number), f'UPDATE "{table}" SET "{column}" = {number} {which}'))


def test_text_that_is_not_utf8_is_shown_with_its_bytes(tmp_path):
    latin = "UPDATE StringIds SET value = CAST(x'676570e9' AS TEXT) WHERE value = 'reduce_kernel'"
    with gapfinder.open(altered_copy(BROKEN[0], tmp_path, latin)) as trace:
        assert trace.diagnose().verdict == diagnosis(BROKEN[0]).verdict
        assert trace.sql(r"SELECT count(*) AS kernels FROM main.kernels WHERE name = 'gep\xE9'")["kernels"][0] > 0


def test_texts_in_utf16_are_refused(tmp_path):
    path = tmp_path / "t.sqlite"
    with closing(sqlite3.connect(path)) as wide, closing(sqlite3.connect(BROKEN[0])) as sound:
        wide.execute("PRAGMA encoding = 'UTF-16le'")
        wide.executescript("\n".join(sound.iterdump()))
    assert "UTF-16" in outcome(path)


def test_kernel_that_lasts_too_long_is_left_out_and_told(tmp_path):
    long = f'UPDATE {KERNELS} SET "end" = "start" + 2000000000 WHERE rowid = (SELECT max(rowid) / 3 FROM {KERNELS})'
    found = assert_not_healthy(altered_copy(BROKEN[0], tmp_path, long))
    assert found.verdict == diagnosis(BROKEN[0]).verdict
    assert any("contradict other rows" in note for note in found.notes)


@pytest.mark.parametrize(("tables", "which"), [([KERNELS], "rowid % 2 = 0"), (ACTIVITIES, "true")])
def test_activities_on_another_gpu_than_their_context_are_told(tmp_path, tables, which):
    """Some against the rest, or all of them against the list of contexts."""
    moved = [f"UPDATE {table} SET deviceId = deviceId + 1 WHERE {which}" for table in tables]
    found = contradicted(altered_copy(FIXTURES / "item_broken.sqlite", tmp_path, *moved))
    assert any("on another GPU than their context" in told for told in found)


@pytest.mark.parametrize(
    ("name", "change", "told"),
    [
        (
            "item_broken",
            f"UPDATE {KERNELS} SET streamId = streamId | 1024 WHERE rowid = 777",
            "activities on streams that their process does not have, 1 of 7,680",
        ),
        (
            "host_sync_faulty",
            "UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET copyKind = 3 WHERE copyKind = 2",
            "copies between other memory than they say, 20 of 40",
        ),
        (
            "pageable_copy_faulty",
            "UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET copyKind = 11 WHERE copyKind = 1",
            "migrations that a call launched, 20 of 20",
        ),
        (
            "pysample_gil",
            "UPDATE NVTX_EVENTS SET text = 'GIL Tracf' WHERE text = 'GIL Trace'",
            "states of the GIL in a domain of another name, 5,722 of 5,722",
        ),
        (
            "gcn_starved",
            "UPDATE SCHED_EVENTS SET globalTid = globalTid + 1",
            "context switches of threads that are not listed, 785 of 919",
        ),
    ],
)
def test_rows_of_what_the_trace_does_not_have_are_told(tmp_path, name, change, told):
    """Each of these changed the verdict, and a gate passed."""
    assert told in contradicted(altered_copy(FIXTURES / f"{name}.sqlite", tmp_path, change))


def test_messages_larger_than_a_gpu_have_no_size(tmp_path):
    """Of many the sum would not fit: the size is read where the communicator stands."""
    moved = "UPDATE NVTX_PAYLOAD_SCHEMA_ENTRIES SET offset = 0 WHERE name LIKE 'Message size%'"
    assert isinstance(outcome(altered_copy(FIXTURES / "tensor_parallel.sqlite", tmp_path, moved)), Diagnosis)


@pytest.mark.thorough
def test_repeated_rows_of_names_count_once(tmp_path, whole):
    """Ids that several texts, copies or calls share; every row of the tables of names twice."""
    twice = [f"INSERT INTO {table} SELECT * FROM {table}" for table in HAVE if table not in {*TIMED, "META_DATA_EXPORT"}]
    found = outcome(altered(tmp_path, *twice))
    assert [(device.compute_ns, device.causes) for device in found.devices] == [
        (device.compute_ns, device.causes) for device in whole.devices
    ]


@pytest.mark.parametrize("table", some(1, [KERNELS, CALLS]))
def test_one_correlation_id_for_all_rows_gives_no_clean_bill(tmp_path, table):
    assert_not_healthy(altered(tmp_path, f"UPDATE {table} SET correlationId = 7"))


def test_unknown_enums_give_no_clean_bill(tmp_path):
    enums = [table for table in HAVE if table.startswith("ENUM_")]
    changes = [f"UPDATE {table} SET id = id + 1000, name = 'New', label = 'New'" for table in enums]
    copies = "UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET copyKind = -5, srcKind = 99, dstKind = 1e18"
    assert_not_healthy(altered(tmp_path, *changes, copies))


@pytest.mark.parametrize(
    ("table", "column", "one", "other"),
    some(
        1,
        [
            ("ENUM_CUDA_MEMCPY_OPER", "label", "Host-to-Device", "Unified Host-to-Device"),
            ("ENUM_CUDA_MEM_KIND", "label", "Pageable", "Pinned"),
            ("ENUM_NSYS_EVENT_TYPE", "name", "NvtxPushPopRange", "NvtxStartEndRange"),
        ],
    ),
)
def test_swapped_kinds_are_told(tmp_path, table, column, one, other):
    swap = f"UPDATE {table} SET {column} = iif({column} = '{one}', '{other}', '{one}') WHERE {column} IN ('{one}', '{other}')"
    path = altered(tmp_path, swap)
    assert_not_healthy(path)
    assert any(f"{table} lists kinds by other numbers than theirs (2 kinds" in note for note in diagnosis(path).notes)


@pytest.mark.parametrize("value", some(1, ["NULL", "-1", "-9223372036854775808", "x'ff00'"]))
def test_wrong_ids_give_no_clean_bill(tmp_path, value):
    """Each id of some row of each table."""
    ids = ("globalTid", "globalPid", "correlationId", "streamId", "domainId", "eventType", "syncType", "graphId")
    changes = [f"UPDATE {table} SET {name} = {value} WHERE rowid = 3" for table in HAVE for name in ids if name in HAVE[table]]
    assert_not_healthy(altered(tmp_path, *changes))


@pytest.mark.parametrize("value", some(1, ["-1", "7", "2147483647"]))
def test_wrong_devices_and_names_give_no_clean_bill(tmp_path, value):
    changes = [
        f"UPDATE {table} SET {name} = {value} WHERE rowid % 3 = 2"
        for table in HAVE
        for name in ("deviceId", "nameId", "shortName", "textId", "gpuId", "cudaId", "pid")
        if name in HAVE[table]
    ]
    assert_not_healthy(altered(tmp_path, *changes))


def test_late_last_call_is_no_damage(tmp_path):
    """It is no damage where the CPU goes on."""
    trace = full()
    trace.call("cudaDeviceSynchronize_v3020", 10**12, 10**12 + 5 * US)
    found = outcome(trace.write(tmp_path / "t.sqlite"))
    assert found.verdict == "host_sync"
