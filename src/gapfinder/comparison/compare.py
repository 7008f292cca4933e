"""Compares the measurements of traces."""

from itertools import takewhile

from gapfinder.comparison import changes
from gapfinder.comparison.bootstrap import mean_interval, ratio_interval
from gapfinder.comparison.comparable import doubt, gpus, holds_other_work, obstacles, remarks
from gapfinder.comparison.comparison import Comparison, Line, Pair, Prediction, Speedup, StepTime, Traced
from gapfinder.comparison.headline import beyond_noise, headline
from gapfinder.diagnosis.measured import Measured
from gapfinder.gates.check import check
from gapfinder.gates.expression import LOST
from gapfinder.gates.gate import Gate

MUCH = 0.5  # of a predicted gain, or of a large error: what saves as much besides has a part in the outcome
GOOD_ERROR = 0.1  # of a prediction, as a share of the outcome


def compare(measured: list[Measured], gates: list[Gate]) -> Comparison:
    """Compare each trace with the first. Gates are checked on the last trace; gates about a change compare it with the first."""
    first, last = measured[0], measured[-1]
    pairs = [_pair(first, trace) for trace in measured[1:]]
    obstacle = "; ".join(pairs[-1].obstacles) or None
    checked = [check(gate, last.quantities, first.quantities, obstacle) for gate in gates]
    return Comparison([_traced(trace) for trace in measured], pairs, checked)


def _traced(trace: Measured) -> Traced:
    diagnosis = trace.diagnosis
    activities = {kind: count / trace.steps for kind, count in trace.activities.items()} if trace.steps else None
    return Traced(
        trace=diagnosis.trace,
        devices=len(diagnosis.devices),
        gpus=gpus(diagnosis),
        window=diagnosis.window,
        step=step_time(trace),
        verdict=diagnosis.verdict,
        verdict_share=trace.quantities.shares.get(diagnosis.verdict, 0.0),
        lost_share=trace.quantities.shares[LOST],
        activities_per_step=activities,
        lengths_ns=trace.lengths_ns,
        steps=trace.step_numbers,
    )


def step_time(trace: Measured) -> StepTime | None:
    """The mean step with its confidence interval; None if the trace has no steps."""
    if trace.quantities.step_ns is None:
        return None
    low_ns, high_ns = mean_interval(trace.lengths_ns) or (None, None)
    return StepTime(trace.quantities.step_ns, low_ns, high_ns, len(trace.lengths_ns))


def _pair(before: Measured, after: Measured) -> Pair:
    reasons = obstacles(before, after)
    speedup = None if reasons else _speedup(before, after)
    causes = changes.causes(before, after)
    return Pair(
        before=before.diagnosis.trace,
        after=after.diagnosis.trace,
        headline=headline(reasons, step_time(before), step_time(after), speedup) + ("" if reasons else doubt(before, after)),
        obstacles=reasons,
        remarks=remarks(before, after),
        speedup=speedup,
        difference=beyond_noise(speedup),
        compute=changes.compute(before, after),
        causes=causes,
        kernels=changes.kernels(before, after),
        prediction=None if reasons else _prediction(before, after, causes),
    )


def _speedup(before: Measured, after: Measured) -> Speedup | None:
    if not (before.quantities.step_ns and after.quantities.step_ns):
        return None
    low, high = ratio_interval(before.lengths_ns, after.lengths_ns) or (None, None)
    return Speedup(before.quantities.step_ns / after.quantities.step_ns, low, high)


def _prediction(before: Measured, after: Measured, lines: list[Line]) -> Prediction | None:
    """Compare the outcome with what the diagnosis of BEFORE predicted.

    The predicted fixes are the first ones of its order of fixes whose causes closed; if there are none, the closed cause with the
    best prediction.
    """
    closed = [line.name for line in lines if line.change == "closed"]
    causes = [cause for cause in before.diagnosis.causes if cause.cause in closed]
    steps_ns = {cause.cause: cause.predicted_step_ns for cause in causes if cause.predicted_step_ns is not None}
    if not (steps_ns and before.quantities.step_ns and after.quantities.step_ns):
        return None
    if holds_other_work(before, after):
        return None
    fixes = list(takewhile(lambda fix: fix.cause in closed, before.diagnosis.fixes))
    best = min(steps_ns, key=lambda cause: steps_ns[cause])
    fixed, predicted_ns = ([fix.cause for fix in fixes], fixes[-1].predicted_step_ns) if fixes else ([best], steps_ns[best])
    others = [cause.cause for cause in causes if cause.is_finding and cause.cause not in fixed]
    of_single_steps = not fixes and any(cause.cause == best and cause.why_range for cause in causes)
    error = predicted_ns / after.quantities.step_ns - 1
    least_ns = MUCH * (before.quantities.step_ns - predicted_ns)
    if error > GOOD_ERROR:
        least_ns = min(least_ns, MUCH * (predicted_ns - after.quantities.step_ns))
    ledger = [] if error < -GOOD_ERROR else [changes.compute(before, after), *lines]  # what shrank makes no step longer
    shrank = _shrank([line for line in ledger if line.name not in fixed], least_ns)
    also_shrank = [name for name in shrank if name not in others]
    return Prediction(fixed, predicted_ns, after.quantities.step_ns, error, others, also_shrank, of_single_steps)


def _shrank(lines: list[Line], least_ns: float) -> list[str]:
    """The lines of the ledger that became shorter, most first, as many as together did so by `least_ns`; none if all do not."""
    both = ((line.name, line.before_ns, line.after_ns) for line in lines)
    saved_ns = {name: old - new for name, old, new in both if old is not None and new is not None}
    told: list[str] = []
    for name in sorted(saved_ns, key=lambda name: -saved_ns[name]):
        if saved_ns[name] <= 0 or least_ns <= 0:
            break
        told.append(name)
        least_ns -= saved_ns[name]
    return told if least_ns <= 0 else []
