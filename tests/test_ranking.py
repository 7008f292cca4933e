"""Which causes are worth a verdict, and in which order."""

import re
from dataclasses import replace

import pytest

from gapfinder.diagnosis.cause import DiagnosedCause
from gapfinder.diagnosis.diagnosis import WHOLE_GRAPHS, Kernel
from gapfinder.diagnosis.headline import next_command
from gapfinder.diagnosis.ranking import designed, ranked
from gapfinder.diagnosis.reasons import Loser, why_first, why_gain, with_tracing
from gapfinder.pipeline.causes import built_in
from gapfinder.replay.predict import FrequentWaits, Predictions

STEP_NS = 1_000


def cause(name, share):
    is_finding = share >= built_in()[name].finding_share
    return DiagnosedCause(name, "", round(share * STEP_NS), share, 1, is_finding=is_finding, fix=None)


def order(shares, step_ns, *, frequent=False, tracing=0.0):
    waits = FrequentWaits(graphs=frozenset({"launch_bound"}), waits=frozenset({"host_sync"})) if frequent else None
    predictions = Predictions(0.0, step_ns, frequent_waits=waits, traced={"launch_bound": tracing})
    return ranked([cause(name, share) for name, share in shares.items()], predictions, STEP_NS, built_in())


@pytest.mark.parametrize(
    ("shares", "step_ns", "expected"),
    [
        ({"copy": 0.2, "storage_io": 0.1}, {}, ["copy", "storage_io"]),
        ({"copy": 0.2, "storage_io": 0.1}, {"copy": 950, "storage_io": 600}, ["storage_io", "copy"]),
        # without a prediction, what is lost counts
        ({"copy": 0.2, "unexplained": 0.1}, {"copy": 950}, ["unexplained", "copy"]),
        ({"host_sync": 0.2, "launch_bound": 0.2}, {"host_sync": 900, "launch_bound": 500}, ["launch_bound", "host_sync"]),
        # what wins less by a tenth wins about as much
        ({"copy": 0.5, "storage_io": 0.1}, {"copy": 455, "storage_io": 400}, ["copy", "storage_io"]),
        ({"copy": 0.5, "storage_io": 0.1}, {"copy": 465, "storage_io": 400}, ["storage_io", "copy"]),
    ],
)
def test_most_to_win_comes_first(shares, step_ns, expected):
    assert [found.cause for found in order(shares, step_ns)] == expected


def test_waits_come_before_the_graph_that_they_prevent():
    shares = {"launch_bound": 0.3, "copy": 0.1, "host_sync": 0.15}
    step_ns = {"launch_bound": 500, "copy": 800, "host_sync": 950}
    assert [found.cause for found in order(shares, step_ns, frequent=True)] == ["host_sync", "launch_bound", "copy"]
    # waits that take less than half of the time of the launches do not push themselves forward
    shares["host_sync"] = 0.14
    assert [found.cause for found in order(shares, step_ns, frequent=True)] == ["launch_bound", "copy", "host_sync"]
    # nor do those that are not worth a verdict
    shares["launch_bound"], shares["host_sync"], step_ns["host_sync"] = 0.03, 0.02, 980
    assert [found.cause for found in order(shares, step_ns, frequent=True)] == ["launch_bound", "copy", "host_sync"]


def test_what_tracing_may_have_added_puts_launches_before_no_cause_that_takes_more_time():
    shares, step_ns = {"launch_bound": 0.3, "copy": 0.4}, {"launch_bound": 500, "copy": 600}
    assert order(shares, step_ns, tracing=0.09)[0].cause == "launch_bound"
    assert order(shares, step_ns, tracing=0.11)[0].cause == "copy"
    shares["copy"] = 0.29
    assert order(shares, step_ns, tracing=0.11)[0].cause == "launch_bound"


@pytest.mark.parametrize(
    ("name", "share", "step_ns", "is_finding"),
    [
        ("copy", 0.02, 990, False),
        ("copy", 0.02, 960, True),  # what it wins counts, if more than what is lost
        ("copy", 0.04, 999, True),  # and what is lost, if fixing another cause would win it
        ("launch_bound", 0.02, 930, False),  # a graph takes the GPU's own pace away as well
        ("launch_bound", 0.02, 890, True),
        ("queue_latency", 0.05, 950, False),
    ],
)
def test_finding_has_enough_time_lost_or_to_win(name, share, step_ns, is_finding):
    assert order({name: share}, {name: step_ns})[0].is_finding is is_finding


def test_ranked_finding_has_its_prediction():
    (found,) = order({"copy": 0.2}, {"copy": 850})
    assert found == replace(cause("copy", 0.2), predicted_step_ns=850)


def reason(shares, step_ns, **choices):
    causes = order(shares, step_ns, **choices)
    frequent = FrequentWaits(frozenset({"launch_bound"}), frozenset({"host_sync"})) if "frequent" in choices else None
    predictions = Predictions(frequent_waits=frequent, traced={"launch_bound": choices.get("tracing", 0.0)})
    return why_first(causes, STEP_NS, "step", designed(built_in()), predictions) or ""


def test_it_says_why_the_first_cause_is_first():
    assert reason({"copy": 0.3, "storage_io": 0.2}, {"copy": 700, "storage_io": 800}) == ""
    assert "more to win" in reason({"copy": 0.3, "storage_io": 0.2}, {"copy": 950, "storage_io": 800})
    assert "by design" in reason({"no_demand": 0.5, "storage_io": 0.2}, {"storage_io": 800})
    assert "about as short" in reason({"copy": 0.3, "storage_io": 0.2}, {"copy": 705, "storage_io": 700})
    shares, step_ns = {"launch_bound": 0.3, "host_sync": 0.2}, {"launch_bound": 500, "host_sync": 950}
    assert "host_sync comes first: no CUDA graph" in reason(shares, step_ns, frequent=True)
    shares["host_sync"] = 0.1
    assert "waits of host_sync, which come too often" in reason(shares, step_ns, frequent=True)
    shares, step_ns = {"launch_bound": 0.3, "copy": 0.4}, {"launch_bound": 500, "copy": 600}
    assert "Up to 110 ns of the step may be the cost of tracing" in reason(shares, step_ns, tracing=0.11)


def test_it_says_when_tracing_may_have_made_it_first():
    causes = order({"launch_bound": 0.4, "copy": 0.2}, {"launch_bound": 600, "copy": 800})
    assert "copy (200 ns) may come first" in with_tracing(causes, STEP_NS, "step", frozenset(), {"launch_bound": 0.3})
    assert with_tracing(causes, STEP_NS, "step", frozenset(), {"launch_bound": 0.15}) is None
    assert with_tracing(causes, STEP_NS, "step", frozenset({"copy"}), {"launch_bound": 0.3}) is None, "copy is by design"
    assert with_tracing(causes, STEP_NS, "step", frozenset(), {}) is None, "tracing slows launches alone"


def test_it_says_why_a_cause_wins_less_than_its_time():
    lost = replace(cause("copy", 0.3), predicted_step_ns=800)
    assert "launch_bound" in why_gain(lost, STEP_NS, "launch_bound")
    assert "only 200 ns of its 300 ns would be saved" in why_gain(lost, STEP_NS, None)
    assert why_gain(replace(lost, predicted_step_ns=710), STEP_NS, None) is None
    assert why_gain(replace(lost, predicted_step_ns=None), STEP_NS, None) is None


def test_it_says_why_a_cause_wins_more_than_its_time():
    lost = replace(cause("launch_bound", 0.3), predicted_step_ns=600)
    assert why_gain(lost, STEP_NS, "copy").startswith("that saves more than its 300 ns, because time that is lost to other")
    assert why_gain(replace(lost, predicted_step_ns=690), STEP_NS, "copy") is None


def test_a_step_without_a_cause_is_compared_with_the_gpu_that_loses_most_to_it():
    """The mean of two GPUs, of which one loses it all, is half of what the step wins."""
    lost = replace(cause("input_pipeline", 0.3), predicted_step_ns=400)
    assert why_gain(lost, STEP_NS, None, Loser("GPU 1", 0.6)) is None
    assert why_gain(lost, STEP_NS, None, Loser("GPU 1", 0.5)).startswith("that saves more than the 500 ns that GPU 1 loses to it")


def test_a_kernel_of_nccl_is_none_to_look_into():
    """Nsight Compute runs one kernel again and again, and a collective would wait for the other ranks."""
    kernels = [
        Kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", "communication", 10, 9_000_000, 900_000),
        Kernel("gemm", "compute", 10, 5_000_000, 500_000),
    ]
    assert "--kernel-name 'regex:^gemm$'" in next_command("gpu_bound", kernels)
    assert next_command("gpu_bound", kernels[:1]) is None


@pytest.mark.parametrize(("graphs_ns", "shown"), [(95_000, True), (96_000, False)])
def test_a_kernel_that_computes_for_little_is_none_to_look_into(graphs_ns, shown):
    """CUDA graphs that were traced as a whole hold the kernels that count."""
    kernels = [Kernel(WHOLE_GRAPHS, "compute", 1, graphs_ns, graphs_ns), Kernel("gemm", "compute", 1, 5_000, 5_000)]
    assert (next_command("gpu_bound", kernels) is not None) == shown


@pytest.mark.parametrize(
    "names",
    [
        [
            f"sm90_xmma_{way}_implicit_gemm_bf16bf16_f32_nhwc_{tile}_execute_segment_{on}_kernel__5x_cudnn"
            for way in ("fprop", "wgrad")
            for tile in ("tilesize128x128x64", "tilesize128x64x64", "tilesize64x64x64")
            for on in ("k_on", "k_off")
        ],
        [
            f"sm90_xmma_fprop_implicit_gemm_bf16bf16_f32_nhwckrsc_nhwc_tilesize{tile}_stage3"
            for tile in ("128x128", "128x64", "64x64")
        ],
        [f"cutlass_80_tensorop_{kind}_s1688gemm_256x128_16x3_nn_align4_with_a_long_end" for kind in ("a", "b", "ab")],
    ],
)
def test_the_command_is_for_one_of_many_kernels_that_begin_alike(names):
    for name in names:
        kernels = [Kernel(other, "compute", 10, 5_000, 500) for other in names if other != name]
        command = next_command("gpu_bound", [Kernel(name, "compute", 10, 9_000, 900), *kernels])
        pattern = re.search("'regex:(.*?)'", command)[1]
        assert [other for other in names if re.search(pattern, other)] == [name]
