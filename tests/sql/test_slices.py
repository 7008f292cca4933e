"""What a submitter did in each piece of lost time."""

from synthetic import US, Synthetic, tuples

from gapfinder.options import Options, Window


def test_what_was_launched_in_time_stalls_from_50_us_on():
    trace = Synthetic()
    trace.kernel(100 * US, 200 * US, (0, US))
    trace.kernel(250 * US - 1, 300 * US, (2 * US, 3 * US))
    trace.kernel(350 * US, 400 * US, (4 * US, 5 * US))
    with trace.analysed(Options(window=Window(everything=True)), upto="3_gaps") as analysis:
        found = tuples(analysis, "SELECT CAST(state AS VARCHAR), end_ns - start_ns FROM slices ORDER BY start_ns")
    assert found == [("queued", 50 * US - 1), ("stalled", 50 * US)]
