"""A synchronize call that costs, and one that does not."""

import pytest
from synthetic import MS, Synthetic

from gapfinder.diagnosis.diagnose import diagnose
from gapfinder.options import Options, Window


@pytest.fixture
def trace():
    return Synthetic()


def lost_run_ahead(trace):
    with trace.analysed(Options(window=Window(everything=True))) as analysis:
        query = """
            SELECT g.start_ns, s.spans, s.blocked_for, s.blocked_since_ns, s.ahead_until_ns
            FROM lost_run_ahead AS s INNER JOIN gaps AS g ON g.gap_id = s.gap_id ORDER BY 1
        """
        return analysis.tuples(query)


def test_a_call_that_drains_the_gpu_costs_the_run_ahead_that_it_took(trace):
    """It waits 4 ms for the GPU, so the CPU would have been ahead by as much."""
    trace.kernel(0, 5 * MS, launched=(0, 1000))
    trace.call("cudaDeviceSynchronize_v3020", MS, 5 * MS + 100)
    trace.kernel(15 * MS, 20 * MS, launched=(15 * MS - 5000, 15 * MS - 1000))
    assert lost_run_ahead(trace) == [(5 * MS, True, "sync", MS, 5 * MS + 100 + 4 * MS)]


def test_the_rest_of_the_run_ahead_is_missed_in_the_next_gap(trace):
    trace.kernel(0, 5 * MS, launched=(0, 1000))
    trace.call("cudaDeviceSynchronize_v3020", MS, 5 * MS + 100)
    trace.kernel(6 * MS, 7 * MS, launched=(6 * MS - 5000, 6 * MS - 1000))  # 1 ms of the 4 is spent
    trace.kernel(20 * MS, 21 * MS, launched=(20 * MS - 5000, 20 * MS - 1000))
    trace.kernel(30 * MS, 31 * MS, launched=(30 * MS - 5000, 30 * MS - 1000))
    assert lost_run_ahead(trace) == [(5 * MS, True, "sync", MS, 9 * MS + 100), (7 * MS, False, "sync", MS, 10 * MS)]


def test_a_call_that_returns_while_the_gpu_has_work_costs_nothing(trace):
    """It waits for one stream, and another still computes."""
    trace.kernel(0, 2 * MS, launched=(0, 1000))
    trace.kernel(0, 5 * MS, launched=(1000, 2000), stream=8)
    trace.call("cudaStreamSynchronize_v3020", MS, 2 * MS)
    trace.kernel(6 * MS, 7 * MS, launched=(6 * MS - 5000, 6 * MS - 1000))
    assert lost_run_ahead(trace) == []


def test_a_call_that_begins_after_the_gpu_ran_dry_took_nothing(trace):
    trace.kernel(0, 5 * MS, launched=(0, 1000))
    trace.call("cudaDeviceSynchronize_v3020", 5 * MS + 10, 5 * MS + 100)
    trace.kernel(8 * MS, 9 * MS, launched=(8 * MS - 5000, 8 * MS - 1000))
    assert lost_run_ahead(trace) == []


def test_a_pair_of_copy_and_synchronize_counts_from_the_copy(trace):
    trace.kernel(0, 5 * MS, launched=(0, 1000))
    trace.copy(5 * MS, 5 * MS + 10, launched=(MS, MS + 5000), direction="Device-to-Host", size=4)
    trace.call("cudaStreamSynchronize_v3020", MS + 5200, 5 * MS + 100)
    trace.kernel(8 * MS, 9 * MS, launched=(8 * MS - 5000, 8 * MS - 1000))
    assert [row[1:4] for row in lost_run_ahead(trace)] == [(True, "download", MS)]


@pytest.mark.parametrize("waits", [True, False])
def test_launches_after_another_long_wait_lack_no_run_ahead(trace, waits):
    """A call drains the GPU, then the thread waits for its next request, and then it launches."""
    trace.kernel(0, 5 * MS, launched=(0, 1000))
    trace.call("cudaDeviceSynchronize_v3020", 4 * MS, 5 * MS + 100)
    at = 15 * MS if waits else 5 * MS + 400_000
    if waits:
        trace.os("sem_wait", 5 * MS + 200_000, at)
    trace.kernel(at + 300_000, 20 * MS, launched=(at + 200_000, at + 250_000))
    trace.os("sem_wait", 21 * MS, 22 * MS)
    with trace.analysed(Options(window=Window(everything=True))) as analysis:
        lacking = analysis.tuples("SELECT lacks_run_ahead FROM segments WHERE state = 'launch' ORDER BY start_ns DESC LIMIT 1")
    assert lacking == [(not waits,)]


@pytest.mark.parametrize(
    ("thunk", "advice"),
    [("Thunk while.5", "XLA reads the condition of each while loop back"), ("Thunk fusion.5", "Do not read values of the GPU")],
)
def test_advice_on_reading_back_fits_what_reads(trace, thunk, advice):
    """XLA itself reads the condition of a loop back, and no line of the program does."""
    trace.thread(5, name="py_xla_execute")
    for start in range(0, 80 * MS, 10 * MS):
        trace.nvtx("XlaModule jit_step", start, start + 9 * MS)
        trace.nvtx(thunk, start + 1000, start + 8 * MS)
        trace.kernel(start + 10_000, start + 5 * MS, launched=(start + 2000, start + 6000))
        trace.copy(
            start + 5 * MS, start + 5 * MS + 2000, launched=(start + 7000, start + 9000), direction="Device-to-Host", size=1
        )
        trace.call("cuStreamSynchronize", start + 9500, start + 5 * MS + 10_000)
        trace.kernel(start + 7 * MS, start + 9 * MS, launched=(start + 6 * MS, start + 6 * MS + 5000))
    with trace.analysed() as analysis:
        (found,) = (cause for cause in diagnose(analysis).causes if cause.cause == "host_sync")
    assert found.fix.startswith(advice)
