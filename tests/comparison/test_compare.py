"""Comparisons of real pairs: what a fix brought, what it left, and when there is nothing to say."""

import json
import sqlite3
from contextlib import closing
from functools import cache

import pytest
from processes import needs_nsys
from synthetic import MS, US, Synthetic
from traces import EXPORT, FIXTURES, REPORT, measured

from gapfinder.comparison import words
from gapfinder.comparison.compare import compare, step_time
from gapfinder.diagnosis.measured import measure
from gapfinder.job.in_trace import diagnose_trace
from gapfinder.render import formats, renderer

KEYS = {"schema", "headline", "traces", "pairs", "gates"}
TRACE = {"trace", "devices", "gpus", "window", "step", "verdict", "verdict_share", "lost_share", "activities_per_step"}
PAIR = {
    "before", "after", "headline", "obstacles", "remarks", "speedup", "difference", "compute", "causes", "kernels", "prediction"
}  # fmt: skip


def of(trace):
    with trace.analysed() as analysed:
        return measure(analysed, diagnose_trace(analysed))


@cache
def usual():
    return of(looped(None))


def compared(*names):
    return compare([measured(FIXTURES / f"{name}.sqlite") for name in names], [])


def pair(*names):
    return compared(*names).last


def change(found, cause):
    return next(line.change for line in found.causes if line.name == cause)


def test_what_a_fix_uncovers():
    found = pair("item_broken", "item_fixed")
    assert (change(found, "host_sync"), change(found, "launch_bound")) == ("closed", "grew")
    assert (change(pair("item_fixed", "item_broken"), "host_sync")) == "new"


def test_what_still_takes_a_tenth_of_the_step_is_not_closed():
    """The CPU takes 99 ms of a step of 100 ms, and then 9 of 10."""
    slow, fast = (of(looped("NVIDIA H200", busy=MS, length=length)) for length in (100 * MS, 10 * MS))
    assert change(compare([slow, fast], []).last, "host_compute") == "shrank"
    assert change(compare([fast, slow], []).last, "host_compute") == "grew"


def test_no_difference():
    same = pair("tokenize_fixed", "tokenize_fixed")
    other_capture = pair("loader_fixed", "workers_fixed")  # two captures of programs that do the same
    for found in (same, other_capture):
        assert found.difference is False
        assert found.headline.startswith("No difference beyond noise")
        assert {line.change for line in found.causes} == {"same"}
        assert found.kernels == []
        assert found.prediction is None


def test_slower():
    found = pair("tokenize_fixed", "tokenize_broken")
    assert found.difference
    assert found.headline.startswith("Slower, 0.715 times as fast")


def test_a_prefetching_program_has_even_steps():
    """Its copies run steps ahead; step by step, it still takes 72.4 ms."""
    step = step_time(measured(FIXTURES / "pageable_fixed.sqlite"))
    assert step.ns == pytest.approx(72.38e6, rel=0.001)
    assert (step.high_ns - step.low_ns) / step.ns < 0.01


def test_kernels_that_changed():
    changes = {kernel.name: kernel for kernel in pair("graphstep_broken", "graphstep_fixed").kernels}
    graph = changes["CUDA graph"]
    assert (graph.changes, graph.before_times, graph.after_times, graph.before_mean_ns) == (["appeared"], 0, 1, None)
    assert {tuple(kernel.changes) for name, kernel in changes.items() if name != "CUDA graph"} == {("vanished",)}
    counted = {kernel.name: kernel for kernel in pair("item_broken", "item_fixed").kernels}["vectorized_elementwise_kernel"]
    assert (counted.before_times, counted.after_times) == (100, 150)


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ("ddp_straggler_fixed", "straggler_rank0", "2 GPUs and AFTER on 1"),
        ("item_broken", "empty_cache", "the period of the launch sequence"),
        ("item_broken", "starved_cuda12", "no kernel of BEFORE runs in AFTER"),
    ],
)
def test_what_cannot_be_compared(before, after, why):
    found = pair(before, after)
    assert why in found.headline
    assert found.headline.startswith("Not comparable")
    assert (found.speedup, found.difference, found.prediction) == (None, None, None)


def looped(gpu_name, steps=10, busy=5 * MS, length=10 * MS):
    trace = Synthetic()
    if gpu_name:
        trace.visible(pid=1, ordinal=0, gpu=0)
        trace.tables["TARGET_INFO_GPU"][0]["name"] = gpu_name
    for start in range(0, steps * length, length):
        trace.nvtx("step", start, start + length)
        trace.kernel(start, start + busy, (start, start + 5 * US))
    return trace


@cache
def rounds(in_a_step, kernels=("gemm", "softmax", "norm", "adam")):
    """Ten steps of 10 ms, each with so many rounds of the same kernels."""
    trace = Synthetic()
    for start in range(0, 100 * MS, 10 * MS):
        trace.nvtx("step", start, start + 10 * MS)
        for number in range(in_a_step):
            for place, name in enumerate(kernels):
                at = start + number * 2 * MS + place * 200 * US
                trace.kernel(at, at + 150 * US, (at, at + 5 * US), name=name)
    return of(trace)


def test_what_else_became_shorter_is_said_instead_of_an_error():
    """Of two causes, the fix removes one, and half of the other with it."""

    def steps(waits_ms, sleeps_ms):
        trace = Synthetic()
        length = (10 + waits_ms + sleeps_ms) * MS
        for start in range(0, 10 * length, length):
            at = start + 5 * MS
            trace.nvtx("step", start, start + length)
            trace.kernel(start + 20 * US, at, (start, start + 10 * US))
            trace.os("read", at, at + waits_ms * MS)
            trace.os("nanosleep", at + waits_ms * MS, at + (waits_ms + sleeps_ms) * MS)
            again = at + (waits_ms + sleeps_ms) * MS
            trace.kernel(again + 20 * US, again + 4 * MS, (again, again + 10 * US))
        return of(trace)

    found = compare([steps(20, 16), steps(0, 4)], []).last
    assert found.prediction.causes == ["storage_io"]
    assert found.prediction.also_shrank == ["host_compute"]


def test_what_comes_between_steps_counts_in_the_loop():
    """Ten steps of 10 ms, and a validation, which takes a third of the time after the fix."""

    def training(validation):
        trace, at = Synthetic(), 0
        for number in range(44):
            kernels = [*[f"gemm_{place % 7}" for place in range(39)], "multi_tensor_apply_kernel"]
            if number % 11 == 10:
                kernels = ["gemm_0"] * 60
            length = validation if number % 11 == 10 else 10 * MS
            for place, name in enumerate(kernels):
                start = at + place * length // len(kernels)
                trace.kernel(start + 10 * US, start + 60 * US, (start, start + 5 * US), name=name)
            at += length
        return of(trace)

    (remark,) = (text for text in compare([training(300 * MS), training(100 * MS)], []).last.remarks if "between steps" in text)
    assert remark.endswith("times as fast.")
    before, after = 400 / 10, 200 / 10
    assert float(remark.split()[-4]) == pytest.approx(before / after, rel=0.1)


def test_unmarked_steps_that_compute_for_much_longer_are_doubted():
    """An inner loop is the step of one trace, and what takes its place in the other computes for four times as long."""

    def loop(compute, named):
        trace = Synthetic()
        for start in range(0, 400 * MS, 20 * MS):
            if named:
                trace.nvtx("step", start, start + 20 * MS)
            for place, name in enumerate(("gemm", "softmax", "norm", "adam")):
                at = start + place * 4 * MS
                trace.kernel(at + 20 * US, at + 20 * US + compute, (at, at + 10 * US), name=name)
        return of(trace)

    doubt = "the steps may hold different work"
    assert doubt in compare([loop(MS // 2, named=False), loop(2 * MS, named=False)], []).last.headline
    assert doubt not in compare([loop(MS // 2, named=True), loop(2 * MS, named=True)], []).last.headline
    assert doubt not in compare([loop(2 * MS, named=False), loop(2 * MS, named=False)], []).last.headline


def test_a_trace_that_is_compared_with_itself():
    assert "AFTER is a copy of BEFORE" in pair("item_broken", "item_broken").remarks[0]
    assert not any("copy of" in remark for remark in pair("item_broken", "item_fixed").remarks)


def test_a_step_that_holds_two_of_the_other_trace():
    why = "each kernel runs 2 times as often in a step of BEFORE as in one of AFTER: these steps hold other work"
    assert compare([rounds(4), rounds(2)], []).last.obstacles == [why]


def test_a_fix_may_remove_some_kernels():
    assert compare([rounds(2), rounds(2, kernels=("gemm", "softmax", "norm"))], []).last.obstacles == []


def test_another_gpu():
    found = compare([of(looped("A100")), of(looped("H200"))], [])
    assert found.last.obstacles == ["BEFORE ran on A100, AFTER on H200"]
    assert words.bottleneck(found).startswith("The bottleneck before is ")


@pytest.mark.thorough
def test_other_work():
    found = compare([of(looped("H200")), of(looped("H200", busy=4 * MS))], []).last
    told = "The GPU computes 5.00 ms a step in BEFORE and 4.00 ms in AFTER: other work, other kernels or another clock rate."
    assert told in found.remarks


def test_too_few_steps():
    found = compare([usual(), of(looped(None, steps=4))], []).last
    assert (found.speedup.ratio, found.speedup.low, found.difference) == (1, None, None)
    assert "too few steps" in found.headline


def test_no_steps():
    """The step time is unknown; shares of the window are not."""
    trace = Synthetic()
    trace.kernel(0, 9 * MS, (0, 5 * US))
    trace.kernel(12 * MS, 15 * MS, (11 * MS, 11 * MS + 5 * US))
    comparison = compare([usual(), of(trace)], [])
    found = comparison.last
    assert "step time is unknown" in found.headline
    assert (found.speedup, found.compute.after_ns, found.compute.after_share) == (None, None, 0.8)
    assert [traced.step is None for traced in comparison.traces] == [False, True]
    for format_ in formats("comparison"):
        assert renderer("comparison", format_).render(comparison, width=80, color=False)


def test_a_trend():
    names = ("item_broken", "item_fixed", "graphstep_broken", "graphstep_fixed")
    trend = compared(*names)
    assert [found.speedup.ratio for found in trend.pairs] == sorted(found.speedup.ratio for found in trend.pairs)
    text = renderer("comparison", "text").render(trend, width=80, color=False)
    lines = text.splitlines()
    assert [line.split()[0] for line in lines[lines.index("") :] if line.startswith("#")] == ["#1", "#2", "#3", "#4"]
    assert max(map(len, lines)) <= 80


def test_files_of_one_name(tmp_path, command_line, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in ("main", "branch"):
        (tmp_path / folder).mkdir()
        looped(None).write(tmp_path / folder / "trace.sqlite")
    done = command_line("compare", "main/trace.sqlite", "branch/trace.sqlite")
    assert (done.status, done.errors) == (0, "")
    assert [line.split()[1] for line in done.output.splitlines()[:2]] == ["main/trace.sqlite:", "branch/trace.sqlite:"]


def test_json_contract(command_line):
    done = command_line(
        "compare", FIXTURES / "gil_broken.sqlite", FIXTURES / "gil_fixed.sqlite", "--format", "json", "--fail-on", "lost>90%"
    )
    assert (done.status, done.errors) == (0, "passed  lost>90%: found 8.57 %\n")
    document = json.loads(done.output)
    assert document.keys() >= KEYS
    assert document["schema"] == "gapfinder.comparison/2"
    assert all(trace.keys() >= TRACE for trace in document["traces"])
    assert all(found.keys() >= PAIR for found in document["pairs"])
    assert document["pairs"][0]["prediction"]["causes"] == ["lock_contention"]


@needs_nsys
def test_traces_of_different_kinds(command_line):
    done = command_line("compare", REPORT, EXPORT)
    assert (done.status, done.errors) == (0, "")
    assert "No difference beyond noise" in done.output


@pytest.mark.parametrize("arguments", [("--window", "99.."), ("--step", "none of this name")], ids=" ".join)
def test_which_trace_an_option_does_not_fit(command_line, arguments):
    done = command_line("compare", EXPORT, EXPORT, *arguments)
    assert (done.status, done.output) == (2, "")
    assert done.errors.startswith(f"gapfinder: {EXPORT}: ")


def test_damage_is_told(tmp_path):
    """Half of the OS calls are gone, so that another cause may be the verdict."""
    whole, damaged = FIXTURES / "loader_broken.sqlite", tmp_path / "damaged.sqlite"
    damaged.write_bytes(whole.read_bytes())
    with closing(sqlite3.connect(damaged)) as connection, connection:
        connection.execute("DELETE FROM OSRT_API WHERE rowid % 2 = 0")
    (remark,) = [text for text in compare([measured(whole), measured(damaged)], []).last.remarks if "damaged" in text]
    assert remark.startswith("AFTER is damaged, and its verdict uncertain: Rows of OSRT_API are gone")
