"""Gaps are where a GPU runs nothing at all; each belongs to the thread that launched the activity after it."""

import pytest
from synthetic import MAIN, Synthetic, thread

from gapfinder.options import Options, Window

ALL = Options(window=Window(everything=True))
OTHER = thread(1, pid=2)


@pytest.fixture
def trace():
    return Synthetic()


def gaps(trace, columns="start_ns, end_ns", options=ALL):
    with trace.analysed(options) as analysis:
        return analysis.tuples(f"SELECT {columns} FROM gaps ORDER BY gpu, start_ns")


def test_a_gap_is_idle_on_every_stream_of_every_process(trace):
    trace.kernel(0, 100, stream=7)
    trace.copy(50, 150, stream=8)
    trace.kernel(200, 300, thread=OTHER)
    trace.graph(250, 260)
    trace.memset(400, 500)
    assert gaps(trace) == [(150, 200), (300, 400)]


def test_an_activity_that_touches_the_next_leaves_no_gap(trace):
    trace.kernel(0, 100)
    trace.kernel(100, 200, stream=8)
    assert gaps(trace) == []


def test_an_activity_of_no_length_does_not_split_a_gap(trace):
    trace.kernel(0, 100)
    trace.kernel(150, 150)
    trace.kernel(200, 300)
    assert gaps(trace) == [(100, 200)]


def test_each_gpu_has_its_own(trace):
    trace.kernel(0, 100, gpu=0)
    trace.kernel(0, 300, gpu=1)
    trace.kernel(200, 300, gpu=0)
    assert gaps(trace, "gpu, start_ns, end_ns") == [(0, 100, 200)]


def test_the_same_ordinal_of_two_processes_may_be_two_gpus(trace):
    trace.visible(pid=1, ordinal=0, gpu=4)
    trace.visible(pid=2, ordinal=0, gpu=5)
    for activity in ((0, 100), (200, 300)):
        trace.kernel(*activity)
        trace.kernel(activity[0], activity[1] + 50, thread=OTHER)
    assert gaps(trace, "gpu, start_ns, end_ns") == [(4, 100, 200), (4, 300, 350), (5, 150, 200)]


def test_the_launching_thread_is_found_in_the_process_of_the_activity(trace):
    """Correlation ids of two processes overlap."""
    trace.kernel(0, 100, launched=(0, 5), correlation=1)
    trace.kernel(0, 100, launched=(0, 6), thread=OTHER, correlation=1)
    trace.kernel(200, 300, launched=(150, 160), thread=OTHER, correlation=2)
    trace.kernel(400, 500, launched=(350, 360), correlation=2)
    assert gaps(trace, "end_ns, pid, global_tid, launch_start_ns") == [(200, 2, OTHER, 150), (400, 1, MAIN, 350)]


def test_a_launch_that_was_not_traced_is_nobodys(trace):
    trace.kernel(0, 100, launched=(0, 5))
    trace.kernel(200, 300)
    assert gaps(trace, "end_ns, global_tid, launch_start_ns") == [(200, None, None)]


def test_the_window_begins_and_ends_gaps(trace):
    trace.kernel(100, 200, launched=(90, 95))
    trace.kernel(300, 400, launched=(290, 295))
    window = Options(window=Window(from_ns=50, to_ns=600))
    assert gaps(trace, "start_ns, end_ns, global_tid", window) == [(50, 100, MAIN), (200, 300, MAIN), (400, 600, MAIN)]


def test_the_cpu_is_late_for_what_it_launches_in_the_gap(trace):
    for start in (0, 200_000, 400_000, 600_000):  # 5 us is the usual latency
        trace.kernel(start, start + 100_000, launched=(start - 5_000, start - 1_000))
    trace.kernel(800_000, 900_000, launched=(610_000, 615_000))  # long before its gap began
    trace.kernel(1_300_000, 1_400_000, launched=(1_000_000, 1_004_000))  # in its gap, and then the GPU itself waited
    late = [(100_000, 200_000), (300_000, 400_000), (500_000, 600_000), (700_000, 700_000), (900_000, 1_009_000)]
    assert gaps(trace, "start_ns, late_until_ns") == late


def test_the_cpu_is_late_where_a_launch_is_held_up():
    """The call began before the gap, waited for a lock, and the kernel started when it returned."""
    trace = Synthetic()
    for start in (0, 200_000, 400_000):  # 5 us is the usual latency
        trace.kernel(start, start + 100_000, launched=(start - 5_000, start - 1_000))
    trace.kernel(900_000, 950_000, launched=(450_000, 898_000))
    trace.kernel(1_200_000, 1_300_000, launched=(940_000, 1_400_000))  # it started, and its call went on for another reason
    late = [(100_000, 200_000), (300_000, 400_000), (500_000, 900_000), (950_000, 950_000)]
    assert gaps(trace, "start_ns, late_until_ns") == late


def test_the_cpu_is_late_inside_the_gap_only(trace):
    """The clock of a GPU may run ahead: its activities seem to start before their launches."""
    for start in (0, 200, 400, 600):
        trace.kernel(start, start + 100, launched=(start + 30, start + 35))
    trace.kernel(800, 900, launched=(840, 990))
    found = gaps(trace, "start_ns, late_until_ns, end_ns")
    assert len(found) == 4
    assert all(start <= late <= end for start, late, end in found)
