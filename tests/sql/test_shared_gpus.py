"""A GPU that is shared is told: what a kernel takes there says little of the kernel."""

import random

import pytest
from synthetic import MS, US, Synthetic, thread
from variations import some

from gapfinder.diagnosis.cause import GPU_BOUND
from gapfinder.diagnosis.diagnose import diagnose

OTHER = thread(pid=2)
USUAL_NS = {"gemm": 50 * US, "softmax": 80 * US, "norm": 120 * US, "add": 30 * US}


def runs(extra_ns):
    """400 kernels one after the other, of which each takes as much longer as a function of its name and number says."""
    trace = Synthetic()
    at = 10 * US
    for number in range(400):
        name = list(USUAL_NS)[number % len(USUAL_NS)]
        end = at + USUAL_NS[name] + extra_ns(name, number)
        trace.kernel(at, end, (number * US, number * US + 500), name=name)
        at = end + US
    return trace


def notes(trace):
    with trace.analysed() as analysis:
        return [note for note in diagnose(analysis).notes if "shared" in note]


def slices(every, slice_ns=2000 * US):
    return lambda _, number: slice_ns + number % 7 * 20 * US if number % every == every - 1 else 0


def test_another_program_that_takes_turns_is_told():
    (note,) = notes(runs(slices(every=13)))
    assert "GPU 0 seems to be shared with a program that is not in this trace: 4 kernels" in note
    assert "the same 2.0" in note


@pytest.mark.parametrize(
    "extra_ns",
    some(
        1,
        [
            lambda *_: 0,
            lambda name, number: USUAL_NS[name] * 20 if number % 13 == 12 else 0,
            lambda name, number: 2000 * US if name == "gemm" and number % 16 == 0 else 0,
            slices(every=301),
            slices(every=13, slice_ns=10 * US),
        ],
    ),
    ids=["alone", "in-proportion", "one-kernel", "rarely", "shortly"],
)
def test_kernels_that_vary_by_themselves_are_not(extra_ns):
    assert notes(runs(extra_ns)) == []


def test_kernels_over_larger_data_are_not():
    """In each step, one of four kernels of each name run over more data, and take as much longer as each other."""
    trace, at = Synthetic(), 10 * US
    for step in range(40):
        for number in range(4 * len(USUAL_NS)):
            name = list(USUAL_NS)[number % len(USUAL_NS)]
            longer = 2000 * US + step % 7 * 20 * US if number < len(USUAL_NS) else 0
            trace.kernel(at, at + USUAL_NS[name] + longer, (at - 5 * US, at - 4 * US), name=name)
            at += USUAL_NS[name] + longer + US
        trace.kernel(at, at + 10 * US, (at - 5 * US, at - 4 * US), name="loss")
        at += 11 * US
    assert notes(trace) == []


@pytest.mark.parametrize(("length_ns", "told"), [(100 * US, True), (2 * US, False)])
def test_processes_of_one_trace_are_told_where_both_compute(length_ns, told):
    trace = runs(lambda *_: 0)
    for number in range(90):
        trace.kernel(number * 300 * US, number * 300 * US + length_ns, (number * US, number * US + 500), thread=OTHER)
    with trace.analysed() as analysis:
        found = diagnose(analysis)
    shared = [note for note in found.notes if "shared" in note]
    assert [note.startswith("GPU 0 is shared by 2 processes of this trace") for note in shared] == [True] * told
    assert found.verdict == GPU_BOUND
    assert ("for 2 processes that share it" in found.headline) == told


def test_kernels_that_run_longer_beside_another_process_are_told():
    """In every second step another process computes, and each kernel takes 1 ms longer. Nsight Compute would see none of it."""
    trace, at = Synthetic(), 10 * MS
    for step in range(30):
        each_ns = MS if step % 2 else 2 * MS
        trace.nvtx("step", at - 6 * MS, at + 4 * each_ns - 6 * MS - US)
        for start in range(at, at + 4 * each_ns, each_ns):
            trace.kernel(start, start + each_ns - US, (at - 5 * MS, at - 5 * MS + US))
        if step % 2 == 0:
            trace.kernel(at, at + 8 * MS - 2 * US, (at - 5 * MS, at - 5 * MS + US), name="evaluate", thread=OTHER)
            trace.kernel(at + US, at + 9 * US, (at - 5 * MS + US, at - 5 * MS + 2 * US), name="count", thread=OTHER, stream=8)
        at += 4 * each_ns
    with trace.analysed() as analysis:
        found = diagnose(analysis)
    # 14 of the 29 steps of the window
    assert found.headline.endswith("Kernels take 1.93 ms of it longer where another process's run beside them.")
    assert found.next_command is None


def turns(trace, others_ns, own_pid=1):
    """In the middle of each kernel, another program holds the GPU."""
    kernels = sorted((row["start"], row["end"]) for row in trace.tables["CUPTI_ACTIVITY_KIND_KERNEL"])
    for start, end in kernels:
        middle = (start + end) // 2
        trace.gpu_turn(start - 100, middle - others_ns // 2, context=1, pid=own_pid)
        trace.gpu_turn(middle - others_ns // 2, middle + others_ns // 2, context=7, pid=4321)
        trace.gpu_turn(middle + others_ns // 2, end, context=1, pid=own_pid)
    return trace


def test_context_switches_tell_how_long_others_held_the_gpu():
    trace = turns(runs(lambda *_: 100 * US), others_ns=100 * US)
    share = held(trace)
    assert share == pytest.approx(0.58, abs=0.01)
    random.Random(1).shuffle(trace.tables["GPU_CONTEXT_SWITCH_EVENTS"])
    assert held(trace) == share


def test_in_a_container_the_process_has_another_number():
    assert held(turns(runs(lambda *_: 100 * US), others_ns=100 * US, own_pid=99)) > 0.5


@pytest.mark.parametrize("others_ns", some(1, [0, US]), ids=["never", "shortly"])
def test_turns_of_the_program_itself_cost_nothing(others_ns):
    assert held(turns(runs(lambda *_: 0), others_ns)) < 0.03


@pytest.mark.parametrize(("column", "value"), some(1, [("timestamp", 2**60), ("tag", None), ("contextId", None)]))
def test_switches_that_cannot_be_are_damage(column, value):
    trace = turns(runs(lambda *_: 0), others_ns=US)
    trace.tables["GPU_CONTEXT_SWITCH_EVENTS"][5][column] = value
    with trace.analysed() as analysis:
        assert analysis.tuples("SELECT rows FROM damaged_rows WHERE table_name = 'GPU_CONTEXT_SWITCH_EVENTS'")


def held(trace):
    with trace.analysed() as analysis:
        ((share,),) = analysis.tuples("SELECT coalesce(sum(share), 0) FROM cause_totals WHERE cause = 'gpu_contention'")
        return share


def test_two_processes_of_the_trace_may_take_turns():
    """Each has a kernel that runs from turn to turn; while they change, neither has the GPU."""
    trace, own, other = Synthetic(), {"context": 1, "pid": 1}, {"context": 2, "pid": 2}
    for start in range(MS, 121 * MS, 6 * MS):
        trace.kernel(start, start + 5900 * US, (start - 20 * US, start - 10 * US))
        trace.kernel(start + 2100 * US, start + 5800 * US, (start - 20 * US, start - 10 * US), thread=OTHER)
        trace.gpu_turn(start - 100, start + 2 * MS, **own)
        trace.gpu_turn(start + 2085 * US, start + 3 * MS, **other)
        trace.gpu_turn(start + 3085 * US, start + 4 * MS, **own)
        trace.gpu_turn(start + 4085 * US, start + 5820 * US, **other)
        trace.gpu_turn(start + 5850 * US, start + 5950 * US, **own)
    with trace.analysed() as analysis:
        assert analysis.tuples("SELECT * FROM contradictory_turns") == []
        assert analysis.tuples("SELECT DISTINCT changes_context FROM turn_pauses ORDER BY 1") == [(False,), (True,)]
