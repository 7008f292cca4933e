"""How long each step took: from the end of the work of one to the end of the work of the next."""

import pytest
from synthetic import MS, US, Synthetic

from gapfinder.diagnosis.diagnose import diagnose
from gapfinder.diagnosis.quantities import quantities_of
from gapfinder.options import Options, Window


def lengths_ms(trace, window="all"):
    with trace.analysed(Options(window=Window.parse(window)) if window != "all" else None) as analysis:
        return [round(length_ns / MS, 2) for _, length_ns in analysis.tuples("SELECT * FROM step_times")]


def test_step_of_a_loop_that_waits_lasts_to_the_next():
    """Each step of 10 ms computes in its first half; the last one ends with its range."""
    trace = Synthetic()
    for start in range(0, 50 * MS, 10 * MS):
        trace.nvtx("step", start, start + 10 * MS)
        trace.kernel(start, start + 5 * MS, (start, start + 5 * US))
    assert lengths_ms(trace) == [10] * 5


def test_copies_ahead_of_their_step_do_not_end_it():
    """All copies are launched and done at once, while the kernels that read them take 10 ms each."""
    trace = Synthetic()
    for step in range(5):
        launch = step * 100 * US
        trace.nvtx("step", launch, launch + 90 * US)
        trace.copy(launch, launch + 50 * US, (launch, launch + 5 * US), stream=8)
        trace.kernel(step * 10 * MS + MS, step * 10 * MS + 11 * MS, (launch + 50 * US, launch + 55 * US))
    assert lengths_ms(trace) == [11, 10, 10, 10, 10]


def test_steps_of_the_launch_sequence_have_their_period():
    trace = Synthetic()
    for start in range(0, 100 * MS, 10 * MS):
        trace.kernel(start, start + MS, (start, start + 5 * US), name="first")
        trace.kernel(start + 2 * MS, start + 3 * MS, (start + MS, start + MS + 5 * US), name="second")
    assert set(lengths_ms(trace)) == {10}


@pytest.mark.parametrize(("window", "expected"), [("1..3", [10, 10, 10]), ("15ms..42ms", [10, 10]), ("11ms..12ms", [])])
def test_only_whole_steps_of_the_window_count(window, expected):
    trace = Synthetic()
    for start in range(0, 50 * MS, 10 * MS):
        trace.nvtx("step", start, start + 9 * MS)
        trace.kernel(start, start + 9 * MS, (start, start + 5 * US))
    assert lengths_ms(trace, window) == expected


def test_trace_without_steps_has_no_step_times():
    trace = Synthetic()
    trace.kernel(0, 9 * MS, (0, 5 * US))
    assert lengths_ms(trace) == []


def test_a_recording_that_is_mostly_something_else_has_no_mean_step():
    """Steps of 10 ms, and a pause as long as all of them: a mean over its steps would be of no step."""
    trace = Synthetic()
    for step in range(20):
        start = step * 10 * MS + (300 * MS if step >= 10 else 0)
        trace.nvtx("step", start, start + 10 * MS)
        trace.kernel(start, start + 5 * MS, (start, start + 5 * US))
    with trace.analysed(Options(window=Window.parse("all"))) as analysis:
        assert analysis.tuples("SELECT unit FROM window_unit") == [("window",)]
        assert analysis.tuples("SELECT * FROM step_times") == []
        assert quantities_of(analysis, diagnose(analysis)).step_ns is None
