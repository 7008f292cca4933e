"""Tables and columns come and go with the export's version. Without one there is less to tell: no traceback, no clean bill."""

import json

import polars as pl
import pytest
from click.testing import CliRunner
from outcome import assert_not_healthy, outcome
from samples import BROKEN, HAVE, STEP, altered, altered_copy, full
from synthetic import MS, US, Synthetic
from traces import FIXTURES
from variations import one_of_each, some

import gapfinder
from gapfinder.cli.main import gapfinder as main
from gapfinder.diagnosis.damage import Damage
from gapfinder.diagnosis.diagnose import diagnose
from gapfinder.errors import TraceError
from gapfinder.ingest.nsys.load import export_tables

NEEDED = ("CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_RUNTIME", "StringIds")
FOR_JOBS = ("NVTX_PAYLOAD_SCHEMA_ENTRIES", "TARGET_INFO_SESSION_START_TIME")  # only a job of several traces asks for them
WHERE_ASKED_FOR = (  # as many sound traces have none of these, they are not missed
    "COMPOSITE_EVENTS",
    "CUDA_HOST_CALLBACK",
    "CUDA_UM_CPU_PAGE_FAULT_EVENTS",
    "CUDA_UM_GPU_PAGE_FAULT_EVENTS",
    "CUPTI_ACTIVITY_KIND_GRAPH_HOST_NODE_AND_HOST_LAUNCH",
    "CUPTI_ACTIVITY_KIND_JIT",
    "CUPTI_ACTIVITY_KIND_OVERHEAD",
    "ENUM_CUDA_UNIF_MEM_ACCESS_TYPE",
    "ENUM_CUPTI_OVERHEAD_TYPE",
    "ENUM_GPU_CTX_SWITCH",
    "ENUM_SAMPLING_THREAD_STATE",
    "GPU_CONTEXT_SWITCH_EVENTS",
    "GPU_METRICS",
    "OSRT_FILE_ACCESS_DESCRIPTORS",
    "OSRT_FILE_ACCESS_EVENTS",
    "SAMPLING_CALLCHAINS",
    "SCHED_EVENTS",
    "TARGET_INFO_CUDA_CONTEXT_INFO",
    "TARGET_INFO_CUDA_STREAM",
    "TARGET_INFO_GPU_METRICS",
)
CUDA = ("KERNEL", "RUNTIME", "MEMCPY", "MEMSET", "SYNCHRONIZATION")
OTHERS = sorted(set(export_tables()) - set(NEEDED) - set(FOR_JOBS) - set(WHERE_ASKED_FOR))
MISSED = {  # what is said of those that a trace may lack for other reasons
    "CUPTI_ACTIVITY_KIND_GRAPH_TRACE": "8 calls submitted CUDA graphs, and none of these is recorded",
    "CUPTI_ACTIVITY_KIND_MEMCPY": "8 calls submitted copies, and none of these is recorded",
    "CUPTI_ACTIVITY_KIND_MEMSET": "8 calls submitted memsets, and none of these is recorded",
    "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION": "does not say which streams wait for others",
    "DIAGNOSTIC_EVENT": "whether it lost events is unknown",
    "NVTX_EVENTS": "holds no NVTX ranges",
    "OSRT_API": "holds no OS calls",
    "TARGET_INFO_CUDA_DEVICE": "does not say which GPU a process means by its ordinal",
}
SPARSE = {  # columns that some rows of a sound trace lack
    "GPU_CONTEXT_SWITCH_EVENTS": {"globalPid"},
    "CUDA_UM_CPU_PAGE_FAULT_EVENTS": {"unresolvedFaultPc"},
    "CUPTI_ACTIVITY_KIND_JIT": {"nameId"},
    "CUPTI_ACTIVITY_KIND_OVERHEAD": {"nameId"},
    "DIAGNOSTIC_EVENT": {"severity", "text", "timestamp"},  # of nsys, not of the program
    "NVTX_EVENTS": {"text", "textId", "jsonText", "jsonTextId", "end", "binaryData"},
}


@pytest.fixture(scope="session")
def known(whole):
    """Notes on the whole trace, which say nothing of damage."""
    return set(whole.notes)


def dropped(table, column):
    return f'ALTER TABLE "{table}" DROP COLUMN "{column}"'


def test_sample_trace_has_every_table_that_is_read():
    assert set(HAVE) >= set(export_tables())


def test_whole_trace_has_no_note_about_damage(whole):
    assert whole.verdict == "host_sync"
    assert not [note for note in whole.notes if "again" in note]


@pytest.mark.parametrize("table", NEEDED)
def test_missing_needed_table_gives_no_clean_bill(tmp_path, table, known):
    assert_not_healthy(altered(tmp_path, f'DROP TABLE "{table}"'), known)


@pytest.mark.parametrize("tables", [OTHERS[start::3] for start in range(3)], ids=" ".join)
def test_each_other_missing_table_is_told(tmp_path, tables, known):
    """Several at once, for speed; none of them is needed, and each is told."""
    found = assert_not_healthy(altered(tmp_path, *(f'DROP TABLE "{table}"' for table in tables)), known)
    told = [note for note in found.notes if note not in known]
    assert [table for table in tables if not any(MISSED.get(table, table) in note for note in told)] == []


def test_tables_that_sound_traces_may_lack_are_not_missed(tmp_path, known):
    found = outcome(altered(tmp_path, *(f'DROP TABLE "{table}"' for table in FOR_JOBS + WHERE_ASKED_FOR)))
    assert (found.verdict, set(found.notes)) == ("host_sync", known)


@pytest.mark.parametrize("table", some(1, ["CUPTI_ACTIVITY_KIND_RUNTIME", "StringIds"]))
def test_empty_table_counts_as_missing(tmp_path, table, known):
    """As if it were missing."""
    assert_not_healthy(altered(tmp_path, f'DELETE FROM "{table}"'), known)


@pytest.mark.parametrize(
    ("table", "column"), one_of_each(lambda table, _: table, [(table, column) for table in NEEDED for column in HAVE[table]])
)
def test_missing_column_of_needed_table_gives_no_clean_bill(tmp_path, table, column, known):
    assert_not_healthy(altered(tmp_path, dropped(table, column)), known)


@pytest.mark.parametrize("place", some(2, range(max(len(HAVE[table]) for table in (*OTHERS, *WHERE_ASKED_FOR)))))
def test_missing_column_of_each_other_table_is_told(tmp_path, place, known):
    """All at once, for speed; none of them is needed, and each is told."""
    columns = {table: HAVE[table][place] for table in (*OTHERS, *WHERE_ASKED_FOR) if place < len(HAVE[table])}
    found = assert_not_healthy(altered(tmp_path, *(dropped(table, column) for table, column in columns.items())), known)
    told = [table for table, column in columns.items() if column not in SPARSE.get(table, ())]
    assert [table for table in told if not any(f"Rows of {table} " in note for note in found.notes)] == []


@pytest.mark.parametrize(
    ("trace", "table"), some(1, list(zip(BROKEN, ("CUPTI_ACTIVITY_KIND_RUNTIME", "OSRT_API", "TARGET_INFO_GPU"), strict=False)))
)
def test_real_trace_without_a_table_or_a_column_gives_no_clean_bill(tmp_path, trace, table):
    """Each trace another one of both."""
    assert_not_healthy(altered_copy(trace, tmp_path, f'DROP TABLE "{table}"'))
    column = HAVE["CUPTI_ACTIVITY_KIND_KERNEL"][BROKEN.index(trace)]
    found = assert_not_healthy(altered_copy(trace, tmp_path, dropped("CUPTI_ACTIVITY_KIND_KERNEL", column)))
    assert isinstance(found, str) or any("CUPTI_ACTIVITY_KIND_KERNEL" in note for note in found.notes)


def test_kernels_without_calls_are_unexplained():
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


def test_a_verdict_on_what_nsys_lost_is_not_certain():
    trace = Synthetic()
    for start in range(0, 8 * STEP, STEP):
        trace.kernel(start + MS, start + 2 * MS, (start, start + 5 * US))
    for doubt in (None, "Not certain, because nsys lost events. "):
        with trace.analysed() as analysis:
            found = diagnose(analysis)
        assert found.headline == (doubt or "") + found.verdict.headline
        trace.diagnostic("Error when processing events: Cannot find string for an exterior index")


def test_a_program_that_only_copies_is_diagnosed():
    """Where a call launched kernels, no call is recorded, or nsys could not read everything, they are missing."""
    trace = Synthetic()
    for start in range(0, 8 * STEP, STEP):
        trace.copy(start + MS, start + 2 * MS, (start, start + 5 * US), size=1 << 20)
    with trace.analysed() as analysis:
        assert [device.compute_ns for device in diagnose(analysis).devices] == [0]
    trace.diagnostic("Error when processing events: Cannot find string for an exterior index")
    with pytest.raises(TraceError, match="no kernels"), trace.analysed():
        pass
    del trace.tables["DIAGNOSTIC_EVENT"]
    trace.call("cudaLaunchKernel_v7000", 9 * STEP, 9 * STEP + US)
    with pytest.raises(TraceError, match="no kernels"), trace.analysed():
        pass
    del trace.tables["CUPTI_ACTIVITY_KIND_RUNTIME"]
    with pytest.raises(TraceError, match="no GPU work"), trace.analysed():
        pass


def behind(*, calls_after_ns):
    """A GPU that is behind the CPU by 20 launches as the capture ends, or that ran nothing of what was launched later."""
    trace = Synthetic()
    for number in range(40):
        at, launch = number * MS, 10 * US * number
        if number < 20:
            trace.kernel(at + MS, at + 2 * MS, (launch, launch + 5 * US))
        else:
            launch += calls_after_ns
            trace.call("cudaLaunchKernel_v7000", launch, launch + 5 * US)
    return trace


def told_of(trace):
    with trace.analysed() as analysis:
        return Damage.of(analysis).sentences


def test_steps_go_on_without_cuda(tmp_path):
    """All that CUDA did from 88 ms on is gone: 9 of 20 steps. They are no part of the step before, and no gate passes."""
    gone = [f"DELETE FROM CUPTI_ACTIVITY_KIND_{kind} WHERE start > 88660000" for kind in CUDA]
    with gapfinder.open(altered_copy(FIXTURES / "item_broken.sqlite", tmp_path, *gone)) as trace:
        found = trace.diagnose(gates=["lost>99%"])
    assert (found.window.steps, found.verdict) == (11, "host_sync")
    assert any("steps by NVTX after the last CUDA call, 9 of 20" in sentence for sentence in found.damage)
    assert not found.gates[0].passed


def test_what_was_queued_as_the_capture_ended_is_not_missing():
    with behind(calls_after_ns=0).analysed() as analysis:
        assert analysis.tuples("SELECT * FROM missing_activities") == []


def test_calls_after_the_last_activity_miss_theirs():
    told = "40 calls submitted kernels, and only 20 of these are recorded"
    assert any(note.startswith(told) for note in told_of(behind(calls_after_ns=30 * MS)))


@pytest.mark.parametrize("kernels", [0, 1])
def test_a_process_without_activities_is_named(kernels):
    """Of two ranks in one report, as nsys ended before the second had handed over what it recorded."""
    trace = Synthetic()
    other = trace.thread(tid=2, pid=2)
    for number in range(40):
        at = number * MS
        trace.kernel(at + 10 * US, at + 900 * US, (at, at + 5 * US))
        if number < 20:
            trace.call("cudaLaunchKernel_v7000", at, at + 5 * US, thread=other)
        if number < kernels:
            trace.kernel(at + 30 * US, at + 40 * US, (at + 20 * US, at + 25 * US), thread=other)
    told = [note for note in told_of(trace) if "Nothing that process 2 launched on a GPU is recorded" in note]
    assert len(told) == 1 - kernels


@pytest.mark.parametrize(
    ("text", "lost"),
    some(
        2,
        [
            ("Error when processing events: Source ID=\nErrorText (100)=/dvs/p4/StringStorage.cpp(119): Throw", True),
            ("Not all CUDA events might have been collected.", False),
        ],
    ),
)
def test_what_nsys_could_not_read_is_told(text, lost):
    trace = full()
    trace.diagnostic(text)
    assert ["(1 error when it made the report)" in note for note in told_of(trace)] == [True] * lost


def test_a_trace_without_processes_is_diagnosed_and_told(tmp_path):
    """Nothing says which call launched what, so there is nothing to replay."""
    tables = ("CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET")
    changes = [f"ALTER TABLE {table} DROP COLUMN globalPid" for table in tables]
    with gapfinder.open(altered_copy(FIXTURES / "item_broken.sqlite", tmp_path, *changes)) as opened:
        found = opened.diagnose()
        assert "there is no launch in it" in opened.whatif(without=["copy"]).note
    assert any(note.startswith("Rows of CUPTI_ACTIVITY_KIND_KERNEL without a usable globalPid") for note in found.damage)


def test_calls_without_a_name_are_told(tmp_path):
    """Calls that only ask a question are left out by their names; one without a name is none of these."""
    calls = "CUPTI_ACTIVITY_KIND_RUNTIME"
    changes = (
        f"CREATE TABLE copied AS SELECT * FROM {calls}",  # whose columns may be NULL
        f"DROP TABLE {calls}",
        f"ALTER TABLE copied RENAME TO {calls}",
        f"UPDATE {calls} SET nameId = NULL WHERE rowid % 3 = 0",
    )
    with gapfinder.open(altered_copy(FIXTURES / "item_broken.sqlite", tmp_path, *changes)) as opened:
        found = opened.tuples(f"SELECT column_name, rows FROM damaged_rows WHERE table_name = '{calls}'")
    assert found == [("nameId", 4274)]


def test_strings_without_ids_are_told(tmp_path):
    for table, rows in full().rows().items():
        pl.DataFrame(rows, infer_schema_length=None).write_parquet(tmp_path / f"{table}.parquet")
    strings = pl.read_parquet(tmp_path / "StringIds.parquet")
    strings.with_columns(pl.lit(None, pl.Int64).alias("id")).write_parquet(tmp_path / "StringIds.parquet")
    assert any(note.startswith("Rows of StringIds without a usable id") for note in assert_not_healthy(tmp_path).damage)


def test_a_domain_alone_is_no_range_that_lacks_its_end(tmp_path):
    """A library may make one and mark nothing in it."""
    alone = ("DELETE FROM NVTX_EVENTS WHERE eventType <> 75", "UPDATE NVTX_EVENTS SET rowid = 1")
    with gapfinder.open(altered_copy(FIXTURES / "item_broken.sqlite", tmp_path, *alone)) as opened:
        assert Damage.of(opened).sentences == []


def test_commands_without_notes_say_that_a_trace_is_damaged(tmp_path):
    runner, csv = CliRunner(), tmp_path / "gaps.csv"
    damaged = altered_copy(
        FIXTURES / "host_sync_faulty.sqlite", tmp_path, "DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE rowid % 2"
    )
    for command in (["gaps", damaged], ["export", damaged, "--csv", csv]):
        done = runner.invoke(main, list(map(str, command)))
        assert done.exit_code == 0
        assert f"{damaged.name} is damaged, or its verdict rests on few rows" in done.stderr
    answer = json.loads(runner.invoke(main, ["whatif", str(damaged), "--without", "host_sync", "--format", "json"]).stdout)
    assert any("Rows of CUPTI_ACTIVITY_KIND_KERNEL are gone" in note for note in answer["damage"])
