"""The activities of the timeline, and the calls that launched them."""

from synthetic import US, Synthetic

from gapfinder.options import Options, Window


def test_activity_is_there_once_where_calls_share_its_correlation_id():
    trace = Synthetic()
    shared = trace.call("cudaLaunchKernel_v7000", 5 * US, 6 * US)
    trace.call("cudaLaunchKernel_v7000", 2 * US, 3 * US, correlation=shared)
    trace.kernel(10 * US, 20 * US, correlation=shared)
    trace.kernel(30 * US, 40 * US, (20 * US, 21 * US))
    with trace.analysed(Options(window=Window(everything=True))) as analysis:
        found = analysis.tuples("SELECT start_ns, launch_start_ns FROM activities ORDER BY start_ns")
    assert found == [(10 * US, 2 * US), (30 * US, 20 * US)]
