"""GPU metrics say how hard the GPU works, also where none of its time is lost."""

import pytest
from synthetic import MS, US, Synthetic
from traces import FIXTURES, diagnosis

from gapfinder.diagnosis.metrics import Metric, metrics_of, sentences


def busy():
    trace = Synthetic()
    for start in range(0, 100 * MS, 10 * MS):
        trace.nvtx("step", start, start + 10 * MS - 1)
        trace.kernel(start + 10 * US, start + 10 * MS, (start, start + 5 * US))
    return trace


def means(trace):
    with trace.analysed() as analysis:
        return analysis.tuples("SELECT gpu, metric, unit, mean, samples FROM window_metrics")


def contradictions(trace):
    with trace.analysed() as analysis:
        return analysis.tuples("SELECT kind, rows, all_rows FROM contradictions")


def test_samples_in_the_window_count():
    trace = busy()
    for at, value in ((-40 * US, 7), (30 * MS, 20), (50 * MS, 40), (400 * MS, 90)):
        trace.gpu_metric(at, value)
    assert means(trace) == [(0, "SMs Active", "%", 30.0, 2)]


def test_a_clock_is_in_mhz():
    trace = busy()
    trace.gpu_metric(50 * MS, 1_980_000_000, "GPC Clock Frequency [MHz]")
    assert means(trace) == [(0, "GPC Clock Frequency", "MHz", 1980.0, 1)]


@pytest.mark.parametrize(("slow", "limited"), [(range(5, 10), False), (range(5), True)])
def test_a_slow_clock_counts_while_the_gpu_computes(slow, limited):
    trace = Synthetic()
    for start in range(0, 100 * MS, 10 * MS):
        trace.nvtx("step", start, start + 10 * MS - 1)
        trace.kernel(start + 10 * US, start + 5 * MS, (start, start + 5 * US))
        for part in range(10):
            clock = 1_200_000_000 if part in slow else 1_980_000_000
            trace.gpu_metric(start + part * MS + 500 * US, clock, "GPC Clock Frequency [MHz]")
    with trace.analysed() as analysis:
        (sentence,) = sentences(metrics_of(analysis))
    assert ("power or heat may limit it" in sentence) == limited


@pytest.mark.parametrize(("active", "contradicts"), [(60, False), (10, True)])
def test_a_gpu_that_computes_is_active(active, contradicts):
    """It computes for half of the time."""
    trace = Synthetic()
    for start in range(0, 100 * MS, 10 * MS):
        trace.nvtx("step", start, start + 10 * MS - 1)
        trace.kernel(start + 10 * US, start + 5 * MS, (start, start + 5 * US))
        trace.gpu_metric(start + 5 * MS, active, "GR Active [Throughput %]")
    kind = "GPU metrics that say that the GPU ran nothing while it computed"
    assert contradictions(trace) == ([(kind, 10, 10)] if contradicts else [])


def test_other_units_and_empty_values_are_left_out():
    trace = busy()
    trace.gpu_metric(50 * MS, 3_000_000, "Compute Warps in Flight [Avg]")
    trace.gpu_metric(51 * MS, None)
    assert means(trace) == []


def test_what_can_be_no_share_is_told():
    trace = busy()
    trace.gpu_metric(50 * MS, 101)
    assert contradictions(trace) == []
    trace.gpu_metric(51 * MS, 2**62)
    assert contradictions(trace) == [("GPU metrics that are no share", 1, 2)]


def test_without_metrics_nothing_is_said():
    with busy().analysed() as analysis:
        assert metrics_of(analysis) == []


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "matrix_products",
            "memory bandwidth 25 %, clock 1,444 MHz. Its clock reached 1,980 MHz, and was lower on average",
        ),
        ("tensor_additions", "tensor cores active 0 %, memory bandwidth 91 %, clock 1,991 MHz. Memory bandwidth limits"),
    ],
)
def test_what_real_kernels_use(name, said):
    found = diagnosis(FIXTURES / f"{name}.sqlite")
    assert found.verdict == "gpu_bound"
    (sentence,) = sentences(found.metrics)
    assert said in sentence


def test_each_gpu_has_its_sentence():
    metrics = [Metric(gpu, "SMs Active", "%", 50.0 + gpu, 55.0, 60.0, 100) for gpu in (0, 1)]
    assert [sentence[:5] for sentence in sentences(metrics)] == ["GPU 0", "GPU 1"]


def test_a_short_kernel_beside_a_long_one_ends_no_compute():
    trace = busy()
    trace.kernel(41 * MS, 42 * MS, (40 * MS, 40 * MS + 5 * US), stream=8)
    trace.gpu_metric(45 * MS, 30)
    with trace.analysed() as analysis:
        assert analysis.tuples("SELECT computing_mean FROM window_metrics") == [(30.0,)]
