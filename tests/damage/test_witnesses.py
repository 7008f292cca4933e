"""A few rows that lie. Other rows bear witness against them: the verdict stays, or the damage is told and no gate passes."""

import sqlite3
import tempfile
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from outcome import contradicted
from samples import BROKEN, altered_copy, full, loop
from synthetic import MAIN, MS, THREAD_STATES, US, Synthetic, thread
from traces import EXPORT, FIXTURES, diagnosis
from variations import some

import gapfinder
from gapfinder.diagnosis.damage import Damage
from gapfinder.diagnosis.diagnose import diagnose
from gapfinder.errors import TraceError

KERNELS, COPIES = "CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY"
CALLS, OS, RANGES = "CUPTI_ACTIVITY_KIND_RUNTIME", "OSRT_API", "NVTX_EVENTS"
PASSES = "lost>99.9%"  # as long as a gate may pass at all
TOO_LONG = "activities that take longer than from their launch until they were waited for"
STEPS = 12


def last(table):
    return f'rowid = (SELECT rowid FROM {table} ORDER BY "start" DESC LIMIT 1)'


def nth(table, place):
    offset = f"SELECT CAST(count(*) * {place} AS INT) FROM {table}"
    return f'rowid = (SELECT rowid FROM {table} ORDER BY "start" LIMIT 1 OFFSET ({offset}))'


def assert_no_lie(trace, verdict):
    """The verdict of the sound trace, or damage that is told, and no gate passes; or one line."""
    try:
        with gapfinder.open(trace) as opened:
            found = opened.diagnose(gates=[PASSES])
    except TraceError:
        return
    assert found.verdict == verdict or found.damage
    assert not found.damage or not found.gates[0].passed
    assert found.damage == [note for note in found.notes if note in found.damage]


def told_of(trace):
    """The notes on damage, with which no gate passes; or the line with which the trace is refused."""
    try:
        with gapfinder.open(trace) as opened:
            found = opened.diagnose(gates=[PASSES])
    except TraceError as error:
        return [str(error)]
    assert not (found.damage and found.gates[0].passed)
    return found.damage


LIES = {
    "the last kernel goes on": f'UPDATE {KERNELS} SET "end" = "end" | (1 << 38) WHERE {last(KERNELS)}',
    "the last three go on": f"""
        UPDATE {KERNELS} SET "end" = "end" | (1 << 33)
        WHERE rowid IN (SELECT rowid FROM {KERNELS} ORDER BY "start" DESC LIMIT 3)
    """,
    "one goes on, alone": f'UPDATE {KERNELS} SET streamId = 99, "end" = "end" | (1 << 30) WHERE {nth(KERNELS, 0.5)}',
    "the last one began first": f'UPDATE {KERNELS} SET "start" = (SELECT min("start") FROM {KERNELS}) + 7 WHERE {last(KERNELS)}',
    "one is on another GPU": f"UPDATE {KERNELS} SET deviceId = 1 WHERE {nth(KERNELS, 0.5)}",
    "a call does not return": f'UPDATE {CALLS} SET "end" = "end" | (1 << 38) WHERE {nth(CALLS, 0.5)}',
    "half of the calls are gone": f"DELETE FROM {CALLS} WHERE rowid % 2 = 0",
    "half of the kernels are gone": f"DELETE FROM {KERNELS} WHERE rowid % 2 = 0",
}


@pytest.mark.parametrize(("name", "trace"), some(3, [(name, BROKEN[place % 5]) for place, name in enumerate(LIES)]))
def test_rows_that_lie_are_told(tmp_path, name, trace):
    damaged = altered_copy(trace, tmp_path, LIES[name])
    try:
        with gapfinder.open(damaged) as opened:
            found = opened.diagnose(gates=[PASSES])
    except TraceError:
        return
    assert found.damage
    assert not found.gates[0].passed


@pytest.mark.parametrize(
    ("table", "which"),
    some(
        1,
        [
            ("GPU_CONTEXT_SWITCH_EVENTS", "rowid % 3 = 0"),
            ("GPU_CONTEXT_SWITCH_EVENTS", "rowid < 20"),
            ("GPU_CONTEXT_SWITCH_EVENTS", "tag = (SELECT id FROM ENUM_GPU_CTX_SWITCH WHERE name = 'RESTORE_START')"),
            ("ENUM_GPU_CTX_SWITCH", "true"),
            ("ENUM_GPU_CTX_SWITCH", "name = 'SAVE_END'"),
        ],
    ),
)
def test_turns_of_programs_that_are_gone_are_told(tmp_path, table, which):
    change = f"DELETE FROM {table} WHERE {which}"
    told = told_of(altered_copy(FIXTURES / "gpu_contention_faulty.sqlite", tmp_path, change))
    assert any("Rows of GPU_CONTEXT_SWITCH_EVENTS are " in note or "turns of their context" in note for note in told)


TURNS = "GPU_CONTEXT_SWITCH_EVENTS"
UNLIKELY = {
    "turns of the program are another's": (
        "gpu_contention_faulty",
        f"""
        UPDATE {TURNS} SET contextId = 454, globalPid = 281552638443520
        WHERE rowid IN (1433, 1434, 1381, 1382, 1285, 1286, 1233, 1234)
        """,
        "start outside of the turns of their context",
    ),
    "turns are late": (
        "gpu_contention_faulty",
        f"UPDATE {TURNS} SET timestamp = timestamp + 200000",
        "start outside of the turns",
    ),
    "turns are of another GPU": ("gpu_contention_faulty", f"UPDATE {TURNS} SET gpuId = gpuId + 1", "start outside of the turns"),
    "turns of the other program are lost": (
        "gpu_contention_faulty",
        f"UPDATE {TURNS} SET tag = 9 WHERE contextId = 454",
        "pauses of a running activity in which nobody has the GPU",
    ),
    "overheads take no time": (
        "profiler_faulty",
        'UPDATE PROFILER_OVERHEAD SET "end" = "start" WHERE "end" - "start" > 1000000',
        "times of the profiler of no length",
    ),
    "OS calls take no time": (
        "fsync_log",
        f'UPDATE {OS} SET "end" = "start" WHERE "end" - "start" > 100000',
        "OS calls that take no time",
    ),
    "CUDA calls take no time": (
        "memory_management_faulty",
        f'UPDATE {CALLS} SET "end" = "start" WHERE "end" - "start" > 1000000',
        "CUDA calls that take no time",
    ),
    "no stream waits for one that runs": (
        "stream_dependency_faulty",
        "UPDATE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION SET streamId = 999",
        "waits on streams that run nothing",
    ),
    "OS calls are another process's": ("fsync_log", f"UPDATE {OS} SET globalTid = globalTid + (7 << 24)", "make no OS call"),
    "OS calls are in us": ("fsync_log", f'UPDATE {OS} SET "start" = "start" / 1000, "end" = "end" / 1000', "make no OS call"),
    "overheads are another process's": (
        "profiler_faulty",
        "UPDATE PROFILER_OVERHEAD SET globalTid = globalTid + (7 << 24)",
        "overheads of processes that are not listed",
    ),
    "overheads cover gaps": (
        "dcgan",
        f"""
        UPDATE PROFILER_OVERHEAD SET "start" = o."start" + 1000, "end" = o."end" - 1000, globalTid = o.globalTid
        FROM (SELECT *, row_number() OVER (ORDER BY "end" - "start" DESC) AS place FROM {OS} WHERE "end" - "start" < 9e7) AS o
        WHERE PROFILER_OVERHEAD.rowid = o.place AND o.place <= 5
        """,
        "overheads of threads that wait meanwhile",
    ),
    "two GPUs are one": (
        "layers_on_four_gpus",
        "UPDATE TARGET_INFO_CUDA_DEVICE SET gpuId = 0 WHERE cudaId = 1",
        "CUDA devices of a process that are the same GPU, 2 of 4",
    ),
    "a rank is on the other's GPU": (
        "rank_imbalance_faulty",
        "UPDATE TARGET_INFO_CUDA_DEVICE SET gpuId = 1 - gpuId WHERE pid = 68",
        "kernels of NCCL, of several ranks on the same GPU at the same time",
    ),
    **{
        f"{kernels} kernels go on until the next is launched": (
            trace,
            f"""
            WITH activities AS (SELECT "start", "end" FROM {KERNELS} UNION ALL SELECT "start", "end" FROM {COPIES})
            UPDATE {KERNELS} SET "end" = (SELECT min(n."start") - 2000 FROM activities AS n WHERE n."start" >= {KERNELS}."end")
            WHERE rowid IN (
                SELECT k.rowid
                FROM {KERNELS} AS k
                INNER JOIN (SELECT "end", lead("start") OVER (ORDER BY "start") - "end" AS gap FROM activities) AS a
                    ON a."end" = k."end"
                ORDER BY gap DESC LIMIT {kernels}
            )
            """,
            "and no other row of the trace confirms that length",
        )
        for trace, kernels in (("started_programs", 5), ("host_compute_faulty", 19))
    },
}


@pytest.mark.parametrize(
    ("late_ns", "told"),
    [
        (2_000_000, "collectives end 2.01 ms earlier on GPU 0 than on GPU 1, and both have one clock"),
        (3_000_000_000, "collectives of a GPU while no other one communicates"),
    ],
)
def test_a_gpu_with_another_clock_than_the_other_one_is_told(tmp_path, late_ns, told):
    """Of one recording. Its pipeline_bubble would be half of what it is, or nothing."""
    later = f'SET "start" = "start" + {late_ns}, "end" = "end" + {late_ns} WHERE deviceId = 1'
    changes = [f"UPDATE CUPTI_ACTIVITY_KIND_{kind} {later}" for kind in ("KERNEL", "MEMCPY", "MEMSET")]
    assert any(told in note for note in told_of(altered_copy(FIXTURES / "pipeline_gpipe.sqlite", tmp_path, *changes)))


@pytest.mark.parametrize("name", some(3, list(UNLIKELY)))
def test_rows_that_no_other_row_bears_out_are_told(tmp_path, name):
    trace, change, told = UNLIKELY[name]
    assert any(told in note for note in told_of(altered_copy(FIXTURES / f"{trace}.sqlite", tmp_path, change)))


def test_what_is_gone_is_told_of_every_copy(tmp_path):
    """Of a conversion, and of a redacted trace, whose rows have numbers of their own."""
    changes = [f"DELETE FROM {RANGES} WHERE rowid BETWEEN 20 AND 60", f"DELETE FROM {CALLS} WHERE rowid BETWEEN 200 AND 240"]
    trace = altered_copy(FIXTURES / "tokenize_broken.sqlite", tmp_path, *changes)
    copies = [tmp_path / name for name in ("kept.duckdb", "folder", "redacted.sqlite", "again")]
    gapfinder.convert(trace, copies[0])
    gapfinder.convert(trace, copies[1])
    gapfinder.redact(trace, copies[2])
    gapfinder.convert(copies[2], copies[3])
    for path in (trace, *copies):
        with gapfinder.open(path) as opened:
            assert opened.tuples("SELECT table_name, rows FROM missing_rows ORDER BY ALL") == [(CALLS, 41), (RANGES, 41)]


@pytest.mark.parametrize("which", some(1, [[8, 56, 122], [56]]))
@pytest.mark.parametrize("start", some(1, ["0", '-"start"']))
def test_a_step_that_begins_before_others_of_its_loop_is_told(tmp_path, which, start):
    """It would take all steps in it away."""
    change = f'UPDATE {RANGES} SET "start" = {start} WHERE rowid IN ({", ".join(map(str, which))})'
    with gapfinder.open(altered_copy(FIXTURES / "storage_io_faulty.sqlite", tmp_path, change)) as opened:
        found = opened.diagnose(gates=[PASSES])
    told = f"Impossible times: steps that overlap others of their thread ({len(which)})."
    assert any(told in sentence for sentence in found.damage)
    assert not found.gates[0].passed


def moved(table, by_ns):
    return f'UPDATE {table} SET "start" = "start" + {by_ns}, "end" = "end" + {by_ns}'


@pytest.mark.parametrize(
    "changes",
    some(
        1,
        [
            [moved(KERNELS, 10**9)],
            [moved(KERNELS, 5 * MS), moved(COPIES, 5 * MS)],
            [moved(CALLS, -(10**9))],
            [moved(CALLS, 10**9)],
            [f'UPDATE {KERNELS} SET "end" = "start"'],
        ],
    ),
    ids=["kernels", "kernels-and-copies", "calls-back", "calls-on", "no-time"],
)
def test_tables_that_are_moved_as_a_whole_are_told(tmp_path, changes):
    """No row contradicts its neighbours."""
    trace = altered_copy(FIXTURES / "pysample_item.sqlite", tmp_path, *changes)
    assert any(note.startswith("Impossible times: ") for note in told_of(trace))


SYNCS = f"""
    rowid IN (
        SELECT r.rowid FROM {CALLS} AS r INNER JOIN StringIds AS s ON s.id = r.nameId AND s.value LIKE 'cuda%Synchronize%'
        ORDER BY r."end" - r."start" DESC LIMIT 20
    )
"""
LAUNCH = "(SELECT id FROM StringIds WHERE value LIKE 'cudaLaunchKernel%' LIMIT 1)"


@pytest.mark.parametrize(
    ("trace", "change", "told"),
    some(
        3,
        [
            ("tokenize_broken", f'UPDATE {CALLS} SET "start" = "end" - 1 WHERE {SYNCS}', "synchronize events outside of a call"),
            ("tokenize_broken", f"UPDATE {CALLS} SET nameId = {LAUNCH} WHERE {SYNCS}", "synchronize events outside of a call"),
            ("tokenize_broken", f"DELETE FROM {CALLS} WHERE {SYNCS}", "synchronize events outside of a call"),
            (
                "tokenize_broken",
                f"UPDATE {CALLS} SET globalTid = globalTid + 1 WHERE {SYNCS}",
                "calls of threads that are not listed",
            ),
            ("tokenize_broken", f"UPDATE {COPIES} SET copyKind = 1 WHERE copyKind = 2", "copies between other memory"),
            (
                "item_broken",
                f"""
                UPDATE PROFILER_OVERHEAD SET
                    "start" = (SELECT min("start") FROM {KERNELS}), "end" = (SELECT max("end") FROM {KERNELS}),
                    globalTid = (SELECT globalTid FROM {CALLS} LIMIT 1)
                WHERE rowid = 1
            """,
                "time of the profiler with a CUDA call inside",
            ),
        ],
    ),
    ids=["short-syncs", "syncs-that-launch", "no-syncs", "another-thread", "another-direction", "overhead"],
)
def test_few_rows_that_carry_the_verdict_are_told(tmp_path, trace, change, told):
    """Each of these gives another verdict."""
    found = contradicted(altered_copy(FIXTURES / f"{trace}.sqlite", tmp_path, change))
    assert any(told in note for note in found)


def test_a_copy_that_ends_right_after_its_call_is_sound():
    """The call of a pageable copy returns with it; two clocks tell when."""
    trace = Synthetic()
    for number in range(40):
        trace.kernel(number * 100 * US, number * 100 * US + 90 * US, (number * 100 * US - 10 * US, number * 100 * US - 5 * US))
    call = (8 * MS, 18 * MS)
    trace.copy(8 * MS + 100 * US, 18 * MS + 1, call, host="Pageable")
    trace.kernel(19 * MS, 19 * MS + 90 * US, (19 * MS - 10 * US, 19 * MS - 5 * US))
    with trace.analysed() as opened:
        assert opened.id_rows("SELECT * FROM lone_activities") == []


@pytest.mark.parametrize(("trace", "filled"), [("gil_broken", 0.9999), ("gil_broken", 0.97), ("cpu_between_steps", 0.97)])
def test_kernels_that_go_on_until_the_next_one_is_launched_are_told(tmp_path, trace, filled):
    """The next one would have started there in any case, so it does not confirm that they took so long."""
    change = f"""
        UPDATE {KERNELS} SET "end" = "end" + CAST({filled} * n.idle_ns AS INTEGER)
        FROM (
            SELECT rowid AS id, lead("start") OVER in_order AS next, lead("start") OVER in_order - "end" AS idle_ns
            FROM {KERNELS} WINDOW in_order AS (ORDER BY "start") ORDER BY idle_ns DESC LIMIT 15
        ) AS n
        WHERE n.id = {KERNELS}.rowid
    """
    with gapfinder.open(altered_copy(FIXTURES / f"{trace}.sqlite", tmp_path, change)) as opened:
        found = opened.diagnose(gates=[PASSES])
    assert found.damage[0].startswith("The verdict rests on ")
    assert not found.gates[0].passed


@cache
def tables_of(trace):
    with closing(sqlite3.connect(trace)) as export:
        return {name for (name,) in export.execute("SELECT name FROM sqlite_master")}


tables = st.sampled_from([KERNELS, KERNELS, KERNELS, CALLS, OS, RANGES])
flips = st.lists(
    st.tuples(
        tables, st.sampled_from(["start", "end"]), st.floats(0, 1, exclude_max=True) | st.just(0.9999), st.integers(22, 52)
    ),
    min_size=1,
    max_size=3,
)


@settings(max_examples=settings.default.max_examples // 2)
@given(st.sampled_from(BROKEN[:8]), flips)
def test_few_flipped_times_never_change_the_verdict_unsaid(trace, done):
    with tempfile.TemporaryDirectory() as folder:
        changes = [
            f'UPDATE {table} SET "{column}" = ("{column}" | (1 << {bit})) - ("{column}" & (1 << {bit})) WHERE {nth(table, place)}'
            for table, column, place, bit in done
            if table in tables_of(trace)
        ]
        assert_no_lie(altered_copy(trace, Path(folder), *changes), diagnosis(trace).verdict)


@pytest.mark.parametrize(
    "trace", some(1, [FIXTURES / "stream_dependency_faulty.sqlite", FIXTURES / "rank_imbalance_faulty.sqlite", EXPORT])
)
def test_sound_trace_has_no_damage(trace):
    assert diagnosis(trace).damage == []


RELATIONS = (
    "impossible_activities",
    "impossible_calls",
    "impossible_order",
    "uncalled_activities",
    "lone_activities",
    "lone_gaps",
    "lone_gpus",
    "missing_activities",
    "contradictory_switches",
    "contradictions",
)


def rows_of(opened, relation):
    return opened.tuples(f"SELECT {'kind, rows, all_rows' if relation == 'contradictions' else '*'} FROM {relation}")


def damage_of(trace, relation):
    with trace.analysed() as opened:
        return rows_of(opened, relation)


@pytest.mark.parametrize("trace", [loop(steps=STEPS), full()], ids=["loop", "full"])
def test_sample_is_sound(trace):
    with trace.analysed() as opened:
        assert [relation for relation in RELATIONS if rows_of(opened, relation)] == []


def test_kernels_whose_times_contradict_others_are_impossible():
    """A dependent launch is possible: it begins while the kernel before it still runs, and ends after it."""
    trace = loop(steps=STEPS)
    trace.kernel(36 * MS, 38 * MS, (35 * MS, 35 * MS + 5 * US), stream=10)
    trace.kernel(37 * MS, 39 * MS, (35 * MS + 10 * US, 35 * MS + 15 * US), stream=10)
    trace.kernel(26 * MS, 27 * MS, (28 * MS, 28 * MS + 5 * US), stream=8)  # before its launch
    trace.kernel(56 * MS, 59 * MS, (55 * MS, 55 * MS + 5 * US), stream=8, name="other")  # after what waited for it
    trace.call("cudaDeviceSynchronize_v3020", 55 * MS + 10 * US, 57 * MS)
    trace.kernel(76 * MS, 79 * MS, (75 * MS, 75 * MS + 5 * US), stream=9)  # after the next one of its stream
    trace.kernel(77 * MS, 78 * MS, (75 * MS + 10 * US, 75 * MS + 15 * US), stream=9)
    kernels = trace.tables[KERNELS]
    assert [kernels[number // 4]["start"] for (number,) in damage_of(trace, "impossible_activities")] == [
        26 * MS,
        56 * MS,
        76 * MS,
    ]


def test_calls_that_cross_others_of_their_thread_are_impossible():
    trace = loop(steps=STEPS)
    trace.domain("GIL Trace", 1)
    trace.call("cudaLaunchKernel_v7000", 56 * MS, 58 * MS)
    trace.call("cuModuleLoadData", 56 * MS + 100 * US, 57 * MS)  # the driver, inside of a call of the runtime
    trace.os("read", 15 * MS, 45 * MS, thread=thread(2))
    waiting = 95 * MS + 100 * US
    trace.call("cudaDeviceSynchronize_v3020", waiting, waiting + 2 * MS)
    trace.os("fwrite", waiting + 100 * US, waiting + 200 * US)  # what kernels print
    trace.nvtx("Waiting for GIL", 11 * MS, 12 * MS, domain=1)
    trace.nvtx("Holding GIL", 12 * MS, 18 * MS, domain=1)
    trace.nvtx("Waiting for GIL", 13 * MS, 17 * MS, thread(2), domain=1)
    assert damage_of(trace, "impossible_calls") == []
    for number, spans_others in enumerate(["cuLaunchKernel", "cudaDeviceSynchronize_v3020"]):
        start = (66 + 10 * number) * MS
        trace.call(spans_others, start, start + 2 * MS)
        trace.call("cuModuleLoadData", start + 100 * US, start + MS)
    trace.os("read", 15 * MS, 45 * MS)  # with CUDA calls of the same thread inside
    trace.os("fread", waiting + 300 * US, waiting + 400 * US)  # in a call that only waits
    trace.os("read", waiting + 500 * US, waiting + 3 * MS)  # in which a call ends
    trace.nvtx("load", 35 * MS, 45 * MS)
    trace.nvtx("Waiting for GIL", 2 * MS, 15 * MS, domain=1)  # which it holds meanwhile
    told = [("CUDA calls", 2), ("GIL states", 1), ("NVTX ranges", 2), ("OS calls", 3)]
    assert sorted(damage_of(trace, "impossible_calls")) == told


def test_step_that_goes_on_after_everything_else_is_impossible():
    trace = loop(steps=STEPS)
    trace.nvtx("step", 120 * MS, 900 * MS)
    assert damage_of(trace, "impossible_order") == []  # a program may still compute on the CPU
    trace = loop(steps=STEPS)
    trace.nvtx("step", 120 * MS, 3_000 * MS)
    assert damage_of(trace, "impossible_order") == [("steps that go on long after the last call", 1, STEPS + 1)]


@pytest.mark.parametrize(("length", "rows"), [(5 * MS, 0), (7 * MS, 1)])
def test_long_wait_without_its_call_is_told(length, rows):
    """Two short ones are usual where a recording ends; the calls take 110 ms."""
    trace = loop(steps=STEPS)
    trace.stream_sync(51 * MS, 51 * MS + length, stream=7)
    trace.tables["CUPTI_ACTIVITY_KIND_RUNTIME"].pop()
    assert [rows for _, rows, _ in damage_of(trace, "contradictions")] == [1] * rows


def test_range_of_a_process_that_is_not_listed_is_told():
    trace = loop(steps=STEPS)
    trace.thread(1)
    assert damage_of(trace, "contradictions") == []
    trace.nvtx("load", 15 * MS, 16 * MS, thread(1, 77))
    ((kind, rows, _),) = damage_of(trace, "contradictions")
    assert (kind, rows) == ("NVTX events of processes that are not listed", 1)


def test_a_process_that_ended_before_the_capture_is_known_by_its_calls():
    """nsys lists the processes that it finds at the end."""
    trace = loop(steps=STEPS)
    trace.thread(1)
    trace.os("read", 15 * MS, 16 * MS, thread(1, 77))
    trace.nvtx("load", 15 * MS, 16 * MS, thread(1, 77))
    assert damage_of(trace, "contradictions") == []


@pytest.mark.parametrize(("late", "alone"), some(1, [([7], 1), ([1, 3, 5, 7, 9, 11], 0), ([], 0)]))
def test_few_gaps_that_nothing_explains_are_told(late, alone):
    """Kernels that were launched long before, and start late."""
    trace = Synthetic()
    for step in range(STEPS):
        trace.nvtx("step", step * 10 * MS, step * 10 * MS + 9 * MS)
        launched = (step * 10 * MS, step * 10 * MS + 5 * US)
        trace.kernel(step * 10 * MS + 6 * US, step * 10 * MS + 5 * MS, launched)
        starts = step * 10 * MS + (7 if step in late else 5) * MS
        trace.kernel(starts, starts + 2 * MS, (launched[1], launched[1] + 5 * US))
    assert len(damage_of(trace, "lone_gaps")) == alone


@pytest.mark.parametrize(("every", "doubted"), some(1, [(STEPS, True), (2, False)]))
def test_a_verdict_that_hangs_on_one_inferred_gap_is_not_certain(every, doubted):
    """A program that is stopped during a launch, or a clock that jumps meanwhile."""
    trace = Synthetic()
    trace.thread(1)
    at = 0
    for step in range(STEPS):
        trace.nvtx("step", at, at + 10 * MS - US)
        trace.kernel(at + 20 * US, at + 5 * MS, (at, at + 10 * US))
        stops = 500 * MS if step % every == every // 2 else 0
        trace.kernel(at + 6 * MS + stops, at + 9 * MS + stops, (at + 5900 * US, at + 5910 * US + stops))
        at += 10 * MS + stops
    with trace.analysed() as opened:
        found = diagnose(opened)
    assert found.headline.startswith("Not certain, because most of what is lost is one gap") == doubted
    assert any("a program is stopped or a clock jumps" in note for note in found.damage) == doubted


def test_a_verdict_of_which_much_more_is_lost_hangs_on_no_gap():
    """A thread that is woken late, once, beside a call that frees memory in each step."""
    trace = Synthetic()
    for step in range(STEPS):
        start = step * 10 * MS
        wait = 1500 * US if step == 7 else 0
        trace.nvtx("step", start, start + 10 * MS - US)
        trace.kernel(start + 20 * US, start + 5 * MS, (start, start + 10 * US))
        if wait:
            trace.os("pthread_cond_wait", start + 5 * MS, start + 5 * MS + wait)
        trace.call("cudaFree_v3020", start + 5 * MS + wait, start + 9900 * US)
    with trace.analysed() as opened:
        found = diagnose(opened)
        assert len(opened.tuples("SELECT * FROM lone_gaps")) == 1
    assert found.verdict == "memory_management"
    assert not any("rests on" in note for note in found.damage)


def test_window_that_nothing_explains_is_told(tmp_path):
    """All kernels take half as long: no row contradicts another one, and the GPU waits for nothing."""
    change = f'UPDATE {KERNELS} SET "end" = "start" + ("end" - "start") / 2'
    with gapfinder.open(altered_copy(FIXTURES / "tokenize_fixed.sqlite", tmp_path, change)) as opened:
        found = opened.diagnose(gates=[PASSES])
    assert found.damage[0].startswith("Nothing explains 4")
    assert not found.gates[0].passed


@pytest.mark.parametrize(("waits", "missing"), [(False, []), (True, [("CUDA graphs", 5, 2)])])
def test_launches_that_were_waited_for_were_not_queued_when_the_capture_ended(waits, missing):
    trace = Synthetic()
    for number in range(2):
        trace.graph((1 + number) * 10 * MS, (1 + number) * 10 * MS + 9 * MS, (number * MS, number * MS + 5 * US))
    for number in range(2, 5):
        trace.call("cudaGraphLaunch_v10000", number * MS, number * MS + 5 * US)
    if waits:
        trace.call("cudaDeviceSynchronize_v3020", 6 * MS, 60 * MS)
    assert damage_of(trace, "missing_activities") == missing


@pytest.mark.parametrize("for_all", [False, True])
@pytest.mark.parametrize(("longer_ns", "told"), [(0, []), (15 * US, [(TOO_LONG, STEPS, STEPS)])])
def test_an_activity_ends_before_it_was_waited_for_whatever_the_clocks_say(for_all, longer_ns, told):
    """The GPU's clock is 10 us late, which says nothing; what was launched and waited for within 30 us did not run for 35."""
    trace = Synthetic()
    for start in range(0, STEPS * MS, MS):
        trace.kernel(start + 15 * US, start + 35 * US + longer_ns, (start, start + 5 * US))
        if for_all:
            trace.call("cudaDeviceSynchronize_v3020", start + 6 * US, start + 30 * US)
        else:
            trace.stream_sync(start + 6 * US, start + 30 * US, stream=7)
    assert damage_of(trace, "impossible_order") == told


@pytest.mark.parametrize(("length_ns", "missing"), [(400, []), (4_000, [("copies", 11, 1)])])
def test_calls_that_copy_no_bytes_submit_nothing(length_ns, missing):
    """As in cuda-samples' mergeSort, which copies the rest of an array that has none."""
    trace = Synthetic()
    trace.kernel(MS, 2 * MS, (0, 5 * US))
    trace.copy(2 * MS, 3 * MS, (5 * US, 10 * US))
    for number in range(10):
        trace.call("cudaMemcpy_v3020", (20 + number) * US, (20 + number) * US + length_ns)
    trace.call("cudaDeviceSynchronize_v3020", 40 * US, 4 * MS)
    assert damage_of(trace, "missing_activities") == missing


def test_kernels_before_the_first_call_need_none():
    trace = Synthetic()
    trace.kernel(0, MS, correlation=77)
    for start in range(10 * MS, STEPS * 10 * MS, 10 * MS):
        trace.kernel(start + MS, start + 5 * MS, (start, start + 5 * US))
    assert damage_of(trace, "uncalled_activities") == []
    trace.kernel(56 * MS, 57 * MS, correlation=78)
    assert damage_of(trace, "uncalled_activities") == [(1, 1, STEPS + 1)]


def test_long_kernel_needs_another_row_that_bears_it_out():
    trace = loop(steps=STEPS)
    trace.kernel(56 * MS, 59 * MS, (55 * MS, 55 * MS + 5 * US), stream=8, name="rare")
    assert len(damage_of(trace, "lone_activities")) == 1
    trace.call("cudaEventQuery_v3020", 58 * MS, 59 * MS + 10 * US)
    trace.call("cudaEventQuery_v3020", 55 * MS + 10 * US, 56 * MS - 10 * US)
    assert len(damage_of(trace, "lone_activities")) == 1  # it starts long after its launch, and nothing ends there
    trace.kernel(55 * MS + 500 * US, 56 * MS - 5 * US, (55 * MS + 10 * US, 55 * MS + 15 * US), stream=9)
    assert damage_of(trace, "lone_activities") == []


def test_gpu_of_which_one_row_speaks_is_told():
    trace = Synthetic()
    for start in range(0, 40 * MS, MS):
        trace.kernel(start + 100 * US, start + 500 * US, (start, start + 5 * US))
    trace.kernel(20 * MS, 21 * MS, (19 * MS, 19 * MS + 5 * US), gpu=1, stream=9)
    assert damage_of(trace, "lone_gpus") == [(1, 1)]


def test_kernels_of_one_launch_are_told_but_not_those_of_a_graph():
    trace = loop(steps=STEPS)
    trace.call("cudaGraphLaunch_v10000", 55 * MS, 55 * MS + 5 * US, correlation=500)
    trace.kernel(56 * MS, 56 * MS + 50 * US, correlation=500)
    trace.kernel(57 * MS, 57 * MS + 50 * US, correlation=500)
    with trace.analysed() as opened:
        assert opened.tuples("SELECT * FROM shared_ids") == []
    trace.kernel(57 * MS, 57 * MS + 50 * US, correlation=500)
    trace.kernel(58 * MS, 58 * MS + 50 * US, correlation=1)
    with trace.analysed() as opened:
        assert opened.tuples("SELECT * FROM shared_ids") == [("GPU activities", 2)]


def test_calls_of_one_id_are_told():
    trace = loop(steps=STEPS)
    trace.call("cudaLaunchKernel_v7000", 55 * MS, 55 * MS + 5 * US, correlation=1)
    with trace.analysed() as opened:
        assert opened.tuples("SELECT * FROM shared_ids") == [("CUDA calls", 1)]


def test_sync_that_returns_before_what_it_waits_for_is_told():
    trace = Synthetic()
    for start in range(0, 40 * MS, 4 * MS):
        trace.kernel(start + 400 * US, start + 450 * US, (start, start + 5 * US), stream=7)
        trace.stream_sync(start + 10 * US, start + 300 * US, stream=7)
    ((kind, rows, all_rows),) = damage_of(trace, "impossible_order")
    assert (kind.split()[0], rows, all_rows) == ("synchronize", 10, 10)


@pytest.mark.parametrize(
    "others", [("cudaStreamSynchronize_v3020", "cudaMemcpyAsync_v3020"), ("cudaLaunchKernel_v7000", "cudaFree_v3020")]
)
def test_names_of_calls_that_are_swapped_are_told(others):
    """All rows of both calls change, and none of them contradicts another one of its table."""
    trace = loop(steps=STEPS)
    for start in range(0, STEPS * 10 * MS, 10 * MS):
        trace.copy(start + 6 * MS, start + 7 * MS, (start + 5 * MS, start + 5 * MS + 5 * US), stream=9)
        trace.call("cudaStreamSynchronize_v3020", start + 6 * MS, start + 7 * MS + 10 * US)
        trace.call("cudaFree_v3020", start + 8 * MS, start + 8 * MS + 10 * US)
    assert damage_of(trace, "contradictions") == []
    trace.swap_strings(*others)
    told = ("activities launched by a call that launches nothing of their kind", STEPS, 2 * STEPS)
    assert told in damage_of(trace, "contradictions")


@pytest.mark.parametrize(("late_ns", "alone"), [(0, 0), (5 * MS, 2)])
def test_a_collective_that_ends_on_two_gpus_is_borne_out(late_ns, alone):
    trace = loop(steps=STEPS)
    for gpu, end in enumerate((58 * MS, 58 * MS + late_ns)):
        launched = (55 * MS, 55 * MS + 5 * US)
        on = {"gpu": gpu, "stream": 8, "thread": thread(pid=gpu + 1)}
        trace.kernel(55 * MS + 10 * US, end, launched, name="ncclDevKernel_AllReduce_Sum_f32_RING_LL", **on)
    assert len(damage_of(trace, "lone_activities")) == alone


@pytest.mark.parametrize(("recorded", "rows"), [("os", 0), ("off_core", 0), (None, 1)])
def test_a_thread_that_ended_early_is_not_listed_and_is_seen_elsewhere(recorded, rows):
    trace = loop(steps=STEPS)
    trace.thread(1)
    trace.os("read", 15 * MS, 15 * MS + US)
    if recorded == "os":
        trace.os("read", 55 * MS, 55 * MS + US, thread=thread(9))
    elif recorded:
        trace.off_core(55 * MS, 55 * MS + US, thread=thread(9))
    trace.call("cudaEventRecord_v3020", 56 * MS, 56 * MS + US, thread(9))
    with trace.analysed() as opened:
        assert len(opened.tuples("SELECT kind FROM contradictions")) == rows


def test_a_process_without_any_call_is_told():
    trace = loop(steps=STEPS)
    assert damage_of(trace, "uncalled_activities") == []
    trace.kernel(55 * MS, 56 * MS, correlation=9999, thread=thread(pid=2))
    ((_, rows, _),) = damage_of(trace, "uncalled_activities")
    assert rows == 1


@pytest.mark.parametrize(
    ("name", "told"),
    [("cudaStreamSynchronize_v3020", 0), ("cudaStreamQuery_v3020", 1), ("other", 1), ("cudaEventSynchronize_v3020", 0)],
)
def test_synchronize_events_in_calls_that_do_not_wait_are_told(name, told):
    """One text is another than it was."""
    trace = loop(steps=STEPS)
    for start in range(0, STEPS * 10 * MS, 10 * MS):
        trace.stream_sync(start + 10 * US, start + 5 * MS + 10 * US, stream=7)
    trace.string(name)
    trace.swap_strings(name, "cudaStreamSynchronize_v3020")
    assert len(damage_of(trace, "contradictions")) == told


SWITCHES = {
    "turned": lambda row: {"isSchedIn": 1 - row["isSchedIn"]},
    "only got": lambda _: {"isSchedIn": 1},
    "on other cores": lambda row: {"cpu": row["start"] // US},
    "earlier": lambda row: {"start": row["start"] - 8 * MS},
    "waits with a core": lambda _: {"threadState": THREAD_STATES["Interruptible"]},
    "as they were": lambda _: {},
}


@pytest.mark.parametrize("edit", SWITCHES)
def test_context_switches_that_contradict_are_told(edit):
    trace = loop(steps=STEPS)
    for start in range(0, STEPS * 10 * MS, 10 * MS):
        trace.on_core(start - US, start + 6 * MS)
    for row in trace.tables["SCHED_EVENTS"]:
        row.update(SWITCHES[edit](row))
    assert bool(damage_of(trace, "contradictory_switches")) == (edit != "as they were")


@pytest.mark.parametrize(
    ("domain", "kind"),
    [
        (1, "NVTX domains of several names"),
        (3, "NVTX domains of several names"),
        (None, None),
    ],
)
def test_ranges_that_are_moved_to_another_domain_are_told(domain, kind):
    """Else waits for the GIL are ranges of the program."""
    trace = loop(steps=STEPS)
    trace.domain("GIL Trace", 1)
    trace.domain("Python Periodic Sampling", 2)
    for start in range(0, STEPS * 10 * MS, 10 * MS):
        trace.nvtx("Waiting for GIL", start + 6 * MS, start + 9 * MS, domain=1)
    for row in trace.tables["NVTX_EVENTS"]:
        row["domainId"] = domain or row["domainId"]
    assert [found for found, *_ in damage_of(trace, "contradictions")] == [kind] * (kind is not None)


def test_ids_of_several_texts_are_told(tmp_path):
    """Else the first in the alphabet is the name: what NCCL ran may be a kernel that computes."""
    doubled = """
        CREATE TABLE StringIds AS
        SELECT id, value FROM texts UNION ALL SELECT * FROM (SELECT id, 'a' || value FROM texts LIMIT 2)
    """
    trace = altered_copy(EXPORT, tmp_path, "ALTER TABLE StringIds RENAME TO texts", doubled, "DROP TABLE texts")
    with gapfinder.open(trace) as opened:
        ((kind, rows, _, unknown),) = opened.tuples("SELECT * FROM contradictions")
    assert (kind, rows, unknown) == ("ids of several texts", 2, "what ran")


def test_ranges_of_a_domain_that_nobody_created_are_told():
    trace = loop(steps=STEPS)
    trace.domain("GIL Trace", 1)
    for start in range(0, STEPS * 10 * MS, 10 * MS):
        trace.nvtx("loading", start + 6 * MS, start + 9 * MS, domain=4)
    (told,) = damage_of(trace, "contradictions")
    assert told == ("NVTX ranges of domains that nobody created", STEPS, STEPS)


def test_streams_of_two_gpus_with_one_number_are_sound():
    """A synchronize call does not say for which it waits."""
    trace = Synthetic()
    for start in range(0, 40 * MS, 4 * MS):
        trace.kernel(start + 100 * US, start + 500 * US, (start, start + 5 * US), stream=7)
        trace.kernel(start + 100 * US, start + 3 * MS, (start + 6 * US, start + 9 * US), stream=7, gpu=1)
        trace.stream_sync(start + 10 * US, start + 510 * US, stream=7)
    with trace.analysed() as opened:
        assert rows_of(opened, "impossible_order") == rows_of(opened, "impossible_activities") == []


def test_a_blocking_copy_that_returns_late_bears_itself_out():
    """A pageable copy of 16 MB ends 1 ms before its call: the host's memory is filled then."""
    trace = loop(steps=STEPS)
    trace.copy(52 * MS, 58 * MS, (51 * MS, 58 * MS + 500 * US), direction="Device-to-Host", host="Pageable", stream=8)
    assert damage_of(trace, "lone_activities") == []
    trace.copy(62 * MS, 68 * MS, (61 * MS, 69 * MS), direction="Device-to-Device", stream=8)
    assert len(damage_of(trace, "lone_activities")) == 1


def test_kernels_that_no_call_launched_are_told():
    """A migration has no call, and the correlation id 0; whatever else has it was put there."""
    trace = loop(steps=STEPS)
    for at in range(6):
        trace.kernel(12 * MS + at * MS, 13 * MS + at * MS, None, stream=9, correlation=0)
    ((_, rows, _),) = damage_of(trace, "uncalled_activities")
    assert rows == 6


@pytest.mark.parametrize(
    ("start_ns", "cause", "called", "told"),
    [
        (5 * MS + 50 * US, "page fault", "cudaMallocManaged_v6000", []),  # the clocks of CPU and GPU may differ
        (7 * MS, "page fault", "cudaMallocManaged_v6000", ["migrations to a GPU on which nothing runs"]),
        (7 * MS, "prefetch", "cudaMallocManaged_v6000", ["migrations that no call asked for"]),
        (7 * MS, "prefetch", "cudaMemPrefetchAsync_v8000", []),
        (7 * MS, "prefetch", "cudaFree_v3020", []),  # the process may have asked before the capture began
    ],
)
def test_migrations_that_contradict_are_told(start_ns, cause, called, told):
    trace = loop(steps=STEPS)
    trace.call(called, 500 * US, 510 * US)
    for start in range(0, (STEPS - 1) * 10 * MS, 10 * MS):
        trace.migration(start + start_ns, start + start_ns + 10 * US, "Unified Host-to-Device", cause)
    assert damage_of(trace, "contradictions") == [(kind, STEPS - 1, STEPS - 1) for kind in told]


OCCUPIED = {
    "loads of GPU code": Synthetic.compiling,
    "waits for room in the queue": lambda trace, start, end: trace.cupti_overhead(start, end, "COMMAND_BUFFER_FULL"),
    "host functions": Synthetic.host_callback,
    "waits for the GIL": lambda trace, start, end: trace.nvtx("Waiting for GIL", start, end, domain=1),
}


@pytest.mark.parametrize("inside", [False, True])
def test_a_thread_that_is_occupied_and_launches_is_told(inside):
    trace = loop(steps=STEPS)
    trace.domain("GIL Trace", 1)
    for add in OCCUPIED.values():
        add(trace, 27 * MS, 39 * MS if inside else 28 * MS)
    told = [(found, rows) for found, rows, _ in damage_of(trace, "contradictions")]
    assert sorted(told) == sorted((f"{kind} in which the thread launches", 1) for kind in OCCUPIED if inside)


def test_a_host_function_while_its_stream_computes_explains_nothing():
    trace = loop(steps=STEPS)
    trace.host_function(3 * MS, STEPS * 10 * MS)
    with trace.analysed() as opened:
        assert not opened.tuples("SELECT * FROM rules_stream_dependency")


@pytest.mark.parametrize("waited", [None, "cudaStreamSynchronize_v3020", "cudaEventQuery_v3020"])
def test_long_kernels_that_end_as_the_next_is_launched_need_a_wait(waited):
    """A thread that waits, or asks again and again, launches the next one soon after the end: else that would be chance."""
    trace = Synthetic()
    for number, start in enumerate(range(0, STEPS * 10 * MS, 10 * MS)):
        trace.kernel(start + 10 * US, start + 60 * US, (start, start + 5 * US))
        length = 9 * MS + 700 * US if number % 2 else 50 * US
        trace.kernel(start + 70 * US, start + 70 * US + length, (start + 6 * US, start + 9 * US))
        if waited == "cudaEventQuery_v3020":
            for at in range(start + MS, start + 9 * MS, MS):
                trace.call(waited, at, at + 2 * US, returned=600)
            trace.call(waited, start + 9 * MS + 780 * US, start + 9 * MS + 782 * US)
        elif waited:
            trace.call(waited, start + 10 * US, start + 9 * MS + 780 * US)
    assert len(damage_of(trace, "lone_activities")) == (0 if waited else STEPS // 2 - 1)  # the last one is followed by none


@pytest.mark.parametrize("longer_ns", [0, 6 * MS])
def test_kernels_that_fill_a_part_of_the_gap_are_told(longer_ns):
    trace = Synthetic()
    for number, start in enumerate(range(0, STEPS * 10 * MS, 10 * MS)):
        trace.kernel(start + 10 * US, start + 60 * US, (start, start + 5 * US))
        length = longer_ns if number % 2 else 0
        trace.kernel(start + 70 * US, start + 120 * US + length, (start + 6 * US, start + 9 * US))
    assert len(damage_of(trace, "stretched_activities")) == (STEPS // 2 - 1 if longer_ns else 0)


@pytest.mark.parametrize("every", [1, 3])
@pytest.mark.parametrize("waits_ns", [0, 9 * MS])
def test_a_copy_that_its_call_prepares_waits_for_no_kernel(waits_ns, every):
    """All kernels, or some, end as a copy starts. Where its call began longer before than staging takes, it waited."""
    trace = Synthetic()
    for number in range(STEPS):
        called = number * 10 * MS + 9 * MS + 500 * US
        from_ns = called - waits_ns
        trace.copy(called, called + 100 * US, (from_ns - 200 * US, called + 100 * US), host="Pageable")
        end = called + 10 * MS - 5 * US if number % every == 0 else called + 200 * US
        trace.kernel(called + 110 * US, end, (called + 102 * US, called + 105 * US))
    assert len(damage_of(trace, "stretched_activities")) == (0 if waits_ns else len(range(0, STEPS - 1, every)))


@pytest.mark.parametrize(("held_ms", "told"), [(2, []), (4, [("threads that hold the GIL while another one does", 1, 2)])])
def test_two_threads_that_hold_the_gil_are_told(held_ms, told):
    """As where the names of waiting and holding were swapped."""
    trace = loop(steps=STEPS)
    trace.domain("GIL Trace", 1)
    trace.nvtx("Holding GIL", 12 * MS, (12 + held_ms) * MS, domain=1)
    trace.nvtx("Holding GIL", 15 * MS, 16 * MS, thread=thread(2), domain=1)
    assert damage_of(trace, "contradictions") == told


@pytest.mark.parametrize(("length_ns", "told"), [(1, True), (100, False)])
def test_events_that_take_less_time_than_a_clock_are_told(length_ns, told):
    trace = loop(steps=STEPS)
    trace.domain("GIL Trace", 1)
    for at in range(6 * MS, 12 * MS, MS):
        trace.call("cudaFree_v3020", at, at + length_ns)
        trace.os("read", at + US, at + US + length_ns)
        trace.nvtx("data_load", at + 2 * US, at + 2 * US + length_ns)
        trace.nvtx("Holding GIL", at + 3 * US, at + 3 * US + length_ns, domain=1)
    found = sorted((name, rows) for name, rows, _ in damage_of(trace, "impossible_order"))
    kinds = ["CUDA calls", "GIL states", "NVTX ranges", "OS calls"]
    assert found == [(f"{kind} that take no time", 6) for kind in kinds if told]


def test_migrations_of_less_than_a_page_are_told():
    trace = loop(steps=STEPS)
    trace.migration(2 * MS, 3 * MS, size=4096)
    trace.migration(12 * MS, 13 * MS, size=5)
    assert damage_of(trace, "contradictions") == [("migrations of less than a page", 1, 2)]


@pytest.mark.parametrize("moves", [False, True])
def test_page_faults_that_move_no_page_are_told(moves):
    """As where the table of the migrations is gone."""
    trace = loop(steps=STEPS)
    for number in range(100):
        trace.cpu_fault(6 * MS + number * US)
        trace.gpu_fault(2 * MS + number * US, 2 * MS + number * US + 500)
    if moves:
        trace.migration(2 * MS, 3 * MS, "Unified Host-to-Device")
    told = [("page faults of processes whose pages never move", 200, 200)]
    assert damage_of(trace, "contradictions") == ([] if moves else told)


@pytest.mark.parametrize(("name", "told"), [("ncclDevKernel_AllReduce", []), ("mcclDevKernel_AllReduce", [(STEPS, STEPS)])])
def test_kernels_of_nccl_with_another_name_are_told(name, told):
    """They would count as compute."""
    trace = loop(steps=STEPS)
    for start in range(0, STEPS * 10 * MS, 10 * MS):
        trace.nccl(start + 10 * US, start + 30 * US, 1, 4096)
        trace.kernel(start + 5 * MS, start + 8 * MS, (start + 15 * US, start + 20 * US), name=name, stream=9)
    assert [tuple(rows) for _, *rows in damage_of(trace, "contradictions")] == told
    if told:
        with trace.analysed() as opened, pytest.raises(TraceError, match="it is unknown when the GPU computed"):
            Damage.of(opened).check_bound(Path("t.sqlite"))


@pytest.mark.parametrize(
    ("without_end", "told"),
    [
        (lambda row: row["start"] == 30 * MS, 1),  # later steps have their ends
        (lambda row: row["start"] % (10 * MS) == 2 * MS, STEPS),  # they lie in steps
        (lambda row: row["start"] >= 80 * MS, 0),  # the recording ended meanwhile
    ],
    ids=["step", "inside", "last"],
)
def test_ranges_that_were_popped_and_have_no_end_are_told(without_end, told):
    trace = loop(steps=STEPS)
    for start in range(0, STEPS * 10 * MS, 10 * MS):
        trace.nvtx("load", start + 2 * MS, start + 8 * MS)
    trace.nvtx("epoch", 80 * MS, (STEPS * 10 - 1) * MS)
    rows = trace.tables["NVTX_EVENTS"]
    for row in rows:
        row["end"] = None if without_end(row) else row["end"]
    kind = "pushed NVTX ranges that were popped, and have no end"
    assert damage_of(trace, "contradictions") == ([(kind, told, len(rows))] if told else [])


@pytest.mark.parametrize("shift_ms", [0, 3_000, -3_000])
def test_ranges_outside_of_the_recording_are_told(shift_ms):
    trace = loop(steps=STEPS)
    for row in trace.tables["NVTX_EVENTS"]:
        row.update(start=row["start"] + shift_ms * MS, end=row["end"] + shift_ms * MS)
    told = [found for found in damage_of(trace, "impossible_order") if found[0] == "NVTX ranges outside of the recording"]
    assert told == ([("NVTX ranges outside of the recording", STEPS, STEPS)] if shift_ms else [])


@pytest.mark.parametrize(("call", "told"), [("cudaStreamSynchronize_v3020", True), ("cudaDeviceSynchronize_v3020", False)])
def test_waits_that_lost_their_synchronize_events_are_told(call, told):
    trace = Synthetic()
    for number, start in enumerate(range(0, 40 * MS, 4 * MS)):
        trace.kernel(start + 100 * US, start + 500 * US, (start, start + 5 * US), stream=7)
        if number < 5:
            trace.stream_sync(start + 10 * US, start + 510 * US, stream=7)
        else:
            trace.call(call, start + 10 * US, start + 510 * US)
    kind = "calls that wait for a stream or an event, and have no synchronize event"
    assert damage_of(trace, "contradictions") == ([(kind, 5, 10)] if told else [])


@pytest.mark.parametrize(("each_ns", "told"), [(2 * US, False), (200 * US, True)])
def test_waits_in_a_row_that_lost_their_calls_are_told_unless_they_are_short(each_ns, told):
    """With a program of JAX, nsys keeps no calls of a run of waits, one for each stream."""
    trace = loop(steps=STEPS)
    trace.stream_sync(36 * MS, 37 * MS, stream=7)
    for number in range(30):
        start = 56 * MS + number * 2 * each_ns
        trace.stream_sync(start, start + each_ns, stream=7)
    del trace.tables["CUPTI_ACTIVITY_KIND_RUNTIME"][-30:]
    kind = "synchronize events outside of a call that waits"
    assert [found for found, *_ in damage_of(trace, "contradictions")] == ([kind] if told else [])


@pytest.mark.parametrize("machine", [0, 1])
def test_os_calls_on_another_machine_are_told(machine):
    trace = loop(steps=STEPS)
    trace.os("read", 15 * MS, 16 * MS)
    trace.os("read", 25 * MS, 26 * MS, thread=MAIN + (machine << 48))
    told = [(found, rows) for found, rows, _ in damage_of(trace, "contradictions")]
    assert told == ([("OS calls on another machine than the CUDA calls", 1)] if machine else [])


@pytest.mark.parametrize(("lost", "told"), [(2, []), (3, [("kernels", 100, 97)])])
def test_kernels_that_were_waited_for_and_are_gone_are_told(lost, told):
    """The end of their table is lost: for long, the program launched nothing more."""
    trace = Synthetic()
    for number in range(100):
        trace.kernel(MS + number * 100 * US, MS + number * 100 * US + 90 * US, (number * 5 * US, number * 5 * US + 4 * US))
    trace.call("cudaDeviceSynchronize_v3020", 510 * US, 12 * MS)
    del trace.tables["CUPTI_ACTIVITY_KIND_KERNEL"][-lost:]
    assert damage_of(trace, "missing_activities") == told
