"""Copies and communication are lost time where nothing computes, and free where something does."""

import pytest
from synthetic import MS, US, Synthetic

from gapfinder.options import Options, Window

EVERYTHING = Options(window=Window(everything=True))
NCCL = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL"


def exposed_time(trace):
    trace.kernel(0, 10, name="first")
    trace.kernel(990, 1000, name="last")
    with trace.analysed(EVERYTHING) as analysis:
        pieces = analysis.tuples("SELECT start_ns, end_ns, kind FROM exposed_time ORDER BY gpu, start_ns")
    joined = []  # where one activity follows another of its kind is no matter here
    for start, end, kind in pieces:
        if joined and joined[-1][1:] == (start, kind):
            start = joined.pop()[0]  # noqa: PLW2901
        joined.append((start, end, kind))
    return joined


@pytest.fixture
def trace():
    return Synthetic()


def test_calls_before_the_first_activity_are_not_all_its_own(trace):
    """nsys recorded three calls and the activity of the last; then each with its own."""
    for at in (10, 20, 30, 100):
        trace.nccl(at, at + 1, communicator=0xA, size=1 << 20)
    trace.kernel(50, 60, (35, 36), name=NCCL)
    trace.kernel(150, 160, (105, 106), name=NCCL)
    with trace.analysed(EVERYTHING) as analysis:
        assert analysis.tuples("SELECT bytes FROM communication_kinds ORDER BY activity_id") == [(None,), (1 << 20,)]


def test_what_runs_alone_is_exposed(trace):
    trace.copy(100, 200)
    trace.memset(300, 400)
    trace.kernel(500, 600, name=NCCL, stream=20)
    trace.kernel(700, 800, name="barrier_on_stream_kernel_threadgroup")  # of NVSHMEM
    pieces = [(100, 200, "copy"), (300, 400, "copy"), (500, 600, "communication"), (700, 800, "communication")]
    assert exposed_time(trace) == pieces


@pytest.mark.parametrize(
    ("full", "communicates"), [("void deep_ep::internode_ll::dispatch<8>(int)", True), ("void mine::dispatch()", False)]
)
def test_kernels_of_deepep_communicate(trace, full, communicates):
    """Another program may have a kernel named dispatch, too."""
    trace.string(full)
    names = ("dispatch", "combine", "notify_dispatch", "cached_notify_combine", "cached_notify")
    for at, name in enumerate(names, 1):
        trace.kernel(at * 100, at * 100 + 50, name=name)
    pieces = [(at * 100, at * 100 + 50, "communication") for at in range(1, len(names) + 1)]
    assert exposed_time(trace) == (pieces if communicates else [])


@pytest.mark.parametrize(("name", "advised"), [(NCCL, False), (NCCL.replace("bf16", "f32"), True)])
def test_only_longer_gradients_are_told_to_become_bf16(trace, name, advised):
    trace.kernel(0, MS, name="vectorized_elementwise_kernel")  # of PyTorch
    trace.kernel(MS, 10 * MS, name=name)
    assert ("sum in bf16" in trace.advice("communication", EVERYTHING)) == advised
    trace.thread(2, name="pt_autograd_0")
    assert ("send bf16 gradients" in trace.advice("communication", EVERYTHING)) == advised


UP, BACK = "Host-to-Device", "Device-to-Host"


@pytest.mark.parametrize(
    ("copies", "advice"),
    [
        ([(UP, 100, 6000)] * 40, "Pack the 40 small host-to-device copies"),
        ([(UP, 20, 6000)] * 40 + [(UP, 4000, 20_000_000)] * 4, "Copy from pinned memory"),  # most time is that of the large ones
        ([(UP, 3000, 8_000_000), (BACK, 3000, 8_000_000)], "The program copies 8.0 MB to the GPU and as much back."),
        ([(UP, 3000, 8_000_000), (BACK, 3000, 4_000_000)], "Copy"),
    ],
)
def test_advice_on_copies_is_for_those_that_take_the_time(trace, copies, advice):
    at = 100
    for direction, length_us, size in copies:
        trace.copy(at, at + length_us * US, (at - 60, at - 50), direction=direction, host="Pageable", size=size)
        at += length_us * US + 100
    trace.kernel(0, 10, name="first")
    trace.kernel(at, at + 10, name="last")
    assert trace.advice("copy", EVERYTHING).startswith(advice)


def test_copy_beside_compute_is_not_exposed(trace):
    trace.copy(100, 200)
    trace.kernel(50, 250, stream=8)
    assert exposed_time(trace) == []


def test_copy_beside_compute_of_another_gpu_is_exposed(trace):
    trace.copy(100, 200)
    trace.kernel(50, 250, gpu=1)
    assert (100, 200, "copy") in exposed_time(trace)


def test_copy_is_exposed_where_nothing_computes(trace):
    trace.copy(100, 200)
    trace.kernel(120, 130, stream=8)
    trace.kernel(125, 150, stream=9)
    trace.kernel(190, 300, stream=8)
    assert exposed_time(trace) == [(100, 120, "copy"), (150, 190, "copy")]


def test_copy_inside_a_long_kernel_is_not_exposed(trace):
    trace.kernel(100, 300)
    trace.kernel(110, 120, stream=8)
    trace.copy(150, 200, stream=9)
    assert exposed_time(trace) == []


def test_communication_beside_a_graph_is_not_exposed(trace):
    trace.kernel(100, 200, name=NCCL, stream=20)
    trace.graph(150, 250)
    assert exposed_time(trace) == [(100, 150, "communication")]


def test_communication_counts_before_copies(trace):
    trace.copy(100, 300)
    trace.kernel(150, 200, name=NCCL, stream=20)
    assert exposed_time(trace) == [(100, 150, "copy"), (150, 200, "communication"), (200, 300, "copy")]


def test_overlapping_copies_count_once(trace):
    trace.copy(100, 200)
    trace.copy(150, 250, stream=8)
    trace.copy(400, 500)
    assert exposed_time(trace) == [(100, 250, "copy"), (400, 500, "copy")]


def another_takes_a_turn(trace):
    """Another program has the GPU from 200 to 300."""
    trace.gpu_turn(0, 200)
    trace.gpu_turn(220, 280, context=7, pid=7)
    trace.gpu_turn(300, 1000)


def test_compute_is_interrupted_until_the_next_turn_of_its_own(trace):
    trace.kernel(100, 500)
    another_takes_a_turn(trace)
    assert exposed_time(trace) == [(200, 300, "interrupted")]


def test_interruption_of_nothing_is_no_lost_time_of_compute(trace):
    another_takes_a_turn(trace)
    assert exposed_time(trace) == []


def test_pause_between_own_turns_is_no_interruption(trace):
    trace.kernel(100, 500)
    trace.gpu_turn(0, 200)
    trace.gpu_turn(300, 1000)
    assert exposed_time(trace) == []


def test_copy_that_another_program_interrupts_stays_a_copy(trace):
    trace.copy(100, 500)
    another_takes_a_turn(trace)
    assert exposed_time(trace) == [(100, 500, "copy")]


def test_the_kernel_that_still_runs_is_the_interrupted_one(trace):
    trace.kernel(100, 900, name="long")
    trace.kernel(110, 150, stream=9, name="short")
    another_takes_a_turn(trace)
    trace.kernel(0, 10, name="first")
    trace.kernel(990, 1000, name="last")
    with trace.analysed(EVERYTHING) as analysis:
        rows = analysis.tuples(
            "SELECT e.start_ns, e.end_ns, n.name FROM exposed_time AS e JOIN activity_names AS n USING (activity_id)"
        )
    assert rows == [(200, 300, "long")]


def test_a_turn_whose_end_is_lost_interrupts_nothing(trace):
    trace.kernel(100, 900)
    trace.gpu_turn(0, 200)
    trace.gpu_turn(220, 280, context=7, pid=7)
    trace.gpu_turn(300, 500)
    trace.gpu_turn(520, 580, context=7, pid=7)
    trace.gpu_turn(600, 1000)
    switches = trace.tables["GPU_CONTEXT_SWITCH_EVENTS"]
    (lost,) = (row for row in switches if row["timestamp"] == 500)
    switches.remove(lost)
    assert exposed_time(trace) == [(200, 300, "interrupted")]
