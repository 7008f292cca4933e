"""What a launching thread did in each piece of lost time."""

import pytest
from synthetic import US, Synthetic

from gapfinder.options import Options, Window


def test_gap_before_queued_activity_is_stalled_from_50_us_on():
    trace = Synthetic()
    trace.kernel(100 * US, 200 * US, (0, US))
    trace.kernel(250 * US - 1, 300 * US, (2 * US, 3 * US))
    trace.kernel(350 * US, 400 * US, (4 * US, 5 * US))
    with trace.analysed(Options(window=Window(everything=True))) as analysis:
        found = analysis.tuples("SELECT state, end_ns - start_ns FROM segments ORDER BY start_ns")
    assert found == [("queued", 50 * US - 1), ("stalled", 50 * US)]


def test_gap_is_cut_where_the_last_call_and_the_last_range_end():
    """After them nothing begins that would."""
    trace = Synthetic()
    trace.nvtx("load_batch", 0, 400 * US)
    trace.kernel(2 * US, 100 * US, (0, US))
    trace.call("cudaDeviceSynchronize_v3020", 2 * US, 105 * US)
    with trace.analysed(Options(window=Window(from_ns=0, to_ns=900 * US))) as analysis:
        found = analysis.tuples("SELECT state, range_id, start_ns, end_ns FROM segments ORDER BY start_ns")
    assert found[-4:] == [
        ("sync", 1, 100 * US, 105 * US),
        ("launch", 1, 105 * US, 203 * US),  # the CPU would have been ahead by the 98 us that it waited
        ("launch", 1, 203 * US, 400 * US),
        ("launch", None, 400 * US, 900 * US),
    ]


def test_work_that_was_launched_in_time_is_of_the_range_of_its_launch():
    """The CPU is in the next range when the GPU copies, and when it waits to compute."""
    trace = Synthetic()
    trace.nvtx("forward", 0, 10 * US)
    trace.nvtx("backward", 10 * US, 20 * US)
    trace.nvtx("optimizer", 20 * US, 900 * US)
    trace.kernel(5 * US, 100 * US, (0, US))
    trace.copy(100 * US, 200 * US, (11 * US, 12 * US))
    trace.kernel(210 * US, 300 * US, (2 * US, 3 * US))
    with trace.analysed(Options(window=Window(everything=True))) as analysis:
        found = analysis.tuples(
            "SELECT s.state, r.name FROM segments AS s INNER JOIN main_ranges AS r ON r.id = s.range_id ORDER BY s.start_ns"
        )
    assert found == [("copy", "backward"), ("queued", "forward")]


@pytest.mark.parametrize(("wait_us", "state"), [(99, "run"), (100, "launch")])
def test_brief_wait_does_not_end_the_code_around_it(wait_us, state):
    """As each Python sample stops its thread. Code of 0.9 ms between two launches is theirs, of 2.7 ms the program's."""
    trace = Synthetic()
    trace.kernel(10 * US, 20 * US, (0, US))
    at = 50 * US
    for _ in range(2):
        at += 900 * US
        trace.os("pthread_cond_wait", at, at + wait_us * US)
        at += wait_us * US
    at += 900 * US
    trace.kernel(at + 5 * US, at + 10 * US, (at, at + US))
    with trace.analysed(Options(window=Window(everything=True))) as analysis:
        found = analysis.tuples("SELECT DISTINCT state FROM segments WHERE end_ns - start_ns = 900000")
    assert found == [(state,)]
