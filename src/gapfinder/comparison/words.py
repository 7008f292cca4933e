"""The sentences of a comparison that all renderers share. Names have no control characters, but are not yet escaped."""

from pathlib import Path

from gapfinder.comparison.comparison import Comparison, KernelChange, Line, Pair, Prediction, Speedup, StepTime, Traced
from gapfinder.comparison.headline import factor
from gapfinder.diagnosis.cause import GPU_BOUND
from gapfinder.display import Table
from gapfinder.units import LONG_UNITS, clean, count, duration, percent

NONE = "-"  # shown for a missing value
STEP_TIMES = ("step", "95 %", "speedup", "95 %", "lost")
KERNELS_SHOWN = 8


def names(comparison: Comparison) -> list[str]:
    """The name of each trace: the name of its file, or its path if several files have the same name."""
    files = [Path(trace.trace).name for trace in comparison.traces]
    same_name = len(set(files)) < len({trace.trace for trace in comparison.traces})
    return [clean(trace.trace if same_name else file) for trace, file in zip(comparison.traces, files, strict=True)]


def labels(comparison: Comparison) -> list[str]:
    """Short labels: before and after, or numbers if there are more than two traces."""
    return ["before", "after"] if len(comparison.traces) == 2 else [f"#{index}" for index in range(1, len(comparison.traces) + 1)]


def subject(trace: Traced) -> str:
    """The GPUs and the steps of a trace."""
    many = f"{trace.devices} x " if trace.devices > 1 else ""
    return f"{many}{', '.join(trace.gpus)}, {_steps(trace)}"


def step(time: StepTime | None) -> str:
    """The mean step."""
    return duration(time.ns) if time else "unknown"


def step_interval(time: StepTime | None) -> str:
    """The confidence interval of the mean step."""
    return span(time.low_ns, time.high_ns) if time and time.low_ns is not None and time.high_ns is not None else NONE


def speedup(speedup: Speedup | None) -> str:
    """How many times as fast."""
    return f"{factor(speedup.ratio)} x" if speedup else "unknown"


def speedup_interval(speedup: Speedup | None) -> str:
    """The confidence interval of the speedup."""
    return f"{factor(speedup.low)} to {factor(speedup.high)} x" if speedup and speedup.low and speedup.high else NONE


def verdict(trace: Traced) -> str:
    """The bottleneck of one trace, and what it costs."""
    return "the GPU itself" if trace.verdict == GPU_BOUND else f"{trace.verdict} ({percent(trace.verdict_share)} of the step)"


def bottleneck(comparison: Comparison) -> str:
    """Where the bottleneck was before, and where it is now."""
    before, after = comparison.traces[0], comparison.traces[-1]
    if comparison.last.obstacles:
        first, *_, last = labels(comparison)
        return f"The bottleneck {first} is {verdict(before)}, and {last} it is {verdict(after)}."
    if before.verdict != after.verdict:
        return f"The bottleneck was {verdict(before)}, and is now {verdict(after)}."
    if after.verdict == GPU_BOUND:
        return "The bottleneck was and is the GPU itself."
    if any(line.name == after.verdict and line.change == "closed" for line in comparison.last.causes):
        return f"The bottleneck was {verdict(before)}; what is left of it still costs most ({percent(after.verdict_share)})."
    return f"The bottleneck is still {verdict(after)}; it was {percent(before.verdict_share)}."


def prediction(prediction: Prediction) -> str:
    """The prediction of the replay, compared with the outcome."""
    causes = " and ".join(prediction.causes)
    replayed = "Replays of single steps of BEFORE" if prediction.of_single_steps else "The replay of BEFORE"
    predicted = f"{replayed} predicted {duration(prediction.predicted_step_ns)} a step without {causes}"
    outcome = f"it takes {duration(prediction.outcome_step_ns)}"
    changed = {"closed": prediction.also_closed, "took less": prediction.also_shrank}
    also = [f"{' and '.join(names)} {how}" for how, names in changed.items() if names]
    if also:
        return f"{predicted}; {' and '.join(also)} too, and {outcome}."
    return f"{predicted}; {outcome}: the prediction is {percent(abs(prediction.error))} off."


def ledger(pair: Pair) -> list[Line]:
    """The lines of both ledgers."""
    return [pair.compute, *pair.causes]


def amounts(line: Line) -> tuple[str, str, str]:
    """Before, after and their difference, per step; or shares of the window if a trace has no steps."""
    if line.before_ns is None or line.after_ns is None:
        return percent(line.before_share), percent(line.after_share), _points(line.after_share - line.before_share)
    return duration(line.before_ns), duration(line.after_ns), difference(line.after_ns - line.before_ns)


def span(low_ns: float, high_ns: float) -> str:
    """A range of durations in one unit, with enough digits to show that they differ: 19.351 to 19.428 ms."""
    unit, size = next(((unit, size) for unit, size in LONG_UNITS if high_ns >= size), ("ns", 1))
    usual = 2 if high_ns < 9.995 * size else 1
    digits = next((digits for digits in range(usual, 4) if high_ns - low_ns >= 2 * size / 10**digits), 4)
    return f"{low_ns / size:.{digits}f} to {high_ns / size:.{digits}f} {unit}"


def difference(ns: float) -> str:
    """A duration with its sign."""
    return f"{'+' if ns > 0 else ''}{duration(ns)}"


def kernel(change: KernelChange) -> tuple[str, str]:
    """How often a kernel runs in a step, and its mean time: before and after if they changed."""
    times = _both(_times(change.before_times), _times(change.after_times))
    if "appeared" in change.changes or "vanished" in change.changes:
        return times, f"{duration(change.before_mean_ns or change.after_mean_ns or 0)}, {change.changes[0]}"
    return times, _both(duration(change.before_mean_ns or 0), duration(change.after_mean_ns or 0))


def step_times(comparison: Comparison) -> list[tuple[str, str, str, str, str]]:
    """For each trace the cells of `STEP_TIMES`: its mean step and its speedup, each with their intervals, and what is lost."""
    return [
        (
            step(trace.step),
            step_interval(trace.step),
            *((speedup(pair.speedup), speedup_interval(pair.speedup)) if pair else ("", "")),
            percent(trace.lost_share),
        )
        for trace, pair in zip(comparison.traces, [None, *comparison.pairs], strict=True)
    ]


def ledger_rows(comparison: Comparison) -> list[tuple[str, str, str, str, str]]:
    """The rows of both ledgers, and of the step where both traces have one: before, after, the difference, and what changed."""
    rows = [(entry.name, *amounts(entry), entry.change) for entry in ledger(comparison.last)]
    before, after = comparison.traces[0].step, comparison.traces[-1].step
    return [*rows, ("step", step(before), step(after), difference(after.ns - before.ns), "")] if before and after else rows


def kernels(comparison: Comparison) -> Table:
    """The kernels that changed."""
    changed = [(change.name, *kernel(change)) for change in comparison.last.kernels[:KERNELS_SHOWN]]
    return Table(("Kernels that changed", "times per step", "each"), changed)


def other_kernels(comparison: Comparison) -> str | None:
    """A line on the kernels that `kernels` does not list."""
    changed = len(comparison.last.kernels)
    if not changed:
        return "The same kernels run, as often and about as long."
    hidden = changed - KERNELS_SHOWN
    return f"and {count(hidden, 'kernel')} more (all of them in --format json)" if hidden > 0 else None


def _steps(trace: Traced) -> str:
    window = trace.window
    if trace.step is None:
        return f"no steps, {duration(window.end_ns - window.start_ns)} in all"
    left_out = f", {count(window.excluded_steps, 'step')} before left out" if window.excluded_steps else ""
    return f"{count(trace.step.count, 'step')} {window.told_apart}{left_out}"


def _times(times: float | None) -> str:
    return NONE if times is None else f"{times:.4g}"


def _both(before: str, after: str) -> str:
    return before if before == after else f"{before} → {after}"


def _points(share: float) -> str:
    return f"{round(100 * share, 1) + 0.0:+.1f} points"
