"""Says why the first cause comes first, whether tracing may have made it so, and why fixing it saves more or less."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gapfinder.diagnosis.cause import DiagnosedCause
from gapfinder.diagnosis.device import Device
from gapfinder.diagnosis.job import COMMUNICATION, JobCause, RankLedger
from gapfinder.diagnosis.ranking import gain
from gapfinder.replay.predict import SAME_GAIN, FrequentWaits, Predictions, least_equal
from gapfinder.replay.words import WITH_OTHERS
from gapfinder.units import duration, percent

Cause = DiagnosedCause | JobCause
MOST = 0.9  # a cause whose removal saves this share of its time saves about all of it


def why_first(
    causes: Sequence[Cause], step_ns: float, unit: str, designed: frozenset[str], predictions: Predictions
) -> str | None:
    """Why the first of `causes` comes first, if another one takes more time, would save more, or must be fixed before it.

    `step_ns` is the time of one `unit`. `designed` are the causes by design.
    """
    if not causes or not causes[0].is_finding:
        return None
    first, *others = causes
    return (
        _takes_more(first, others, step_ns, unit, designed)
        or _wins_more(first, others, step_ns, unit, designed, predictions)
        or _held_by_waits(first, others, predictions.frequent_waits)
    )


def with_tracing(
    causes: Sequence[DiagnosedCause], step_ns: float, unit: str, designed: frozenset[str], traced: Mapping[str, float]
) -> str | None:
    """Which cause may come first without the profiler, if that may take more from the first of `causes` than makes it first.

    `traced` are the causes that tracing adds to, as in `Predictions`.
    """
    if not causes or causes[0].cause not in traced or not causes[0].is_finding:
        return None
    first, *others = causes
    tracing = traced[first.cause]
    more = [cause for cause in others if cause.is_finding and cause.cause not in designed and cause.share > first.share - tracing]
    if not more:
        return None
    most = max(more, key=lambda cause: cause.share)
    up_to = _up_to(tracing * step_ns, unit)
    return f"{up_to}: without the profiler {most.cause} ({duration(most.share * step_ns)}) may come first."


class Loser(NamedTuple):
    """Of several GPUs or ranks, the one that loses most to a cause, and the share of its window that it loses."""

    name: str
    share: float


def loser(cause: str, of: Sequence[Device | RankLedger]) -> Loser | None:
    """Of several GPUs or ranks, the one that loses most to the cause; None if there is one, or if none loses anything."""
    if len(of) < 2:
        return None
    worst = max(of, key=lambda one: one.causes.get(cause, 0) / one.window_ns)
    name = f"GPU {worst.gpu}" if isinstance(worst, Device) else f"rank {worst.rank}"
    return Loser(name, worst.causes[cause] / worst.window_ns) if cause in worst.causes else None


def why_gain(cause: Cause, step_ns: float, then: str | None, loser: Loser | None = None) -> str | None:
    """Why a step without the cause is not shorter by just its time. `then` is the cause to fix after it, None if unknown.

    A step is as long as its slowest GPU takes, so that of several it is the time of the one that loses most, the `loser`.
    """
    if cause.predicted_step_ns is None or (isinstance(cause, DiagnosedCause) and cause.why_range):  # that says what is saved
        return None
    lost_ns = (loser or cause).share * step_ns
    its = f"the {duration(lost_ns)} that {loser.name} loses to it" if loser else f"its {duration(lost_ns)}"
    why_less = f"{then or 'what is left'} would then take that time"
    if cause.cause == COMMUNICATION:
        why_less = "communication slows the compute that it overlaps, or waits for a rank or a launch that is late"
    return why_saved(step_ns - cause.predicted_step_ns, lost_ns, step_ns, its, why_less)


def why_saved(saved_ns: float, lost_ns: float, step_ns: float, its: str, why_less: str) -> str | None:
    """Why a fix saves more or less than what is lost; None if it saves about as much. `its` is what is lost, in words."""
    saved_ns = max(0.0, saved_ns)
    if saved_ns - lost_ns >= SAME_GAIN * step_ns:
        return f"that saves more than {its}, {WITH_OTHERS}"
    if saved_ns >= MOST * lost_ns or lost_ns - saved_ns < SAME_GAIN * step_ns:
        return None
    saves = f"only {duration(saved_ns)}" if round(saved_ns) else "none"
    return f"{saves} of {its} would be saved, because {why_less}"


def _takes_more(first: Cause, others: Sequence[Cause], step_ns: float, unit: str, designed: frozenset[str]) -> str | None:
    more = [cause for cause in others if cause.share > first.share and (cause.is_finding or cause.cause in designed)]
    if not more:
        return None
    most = max(more, key=lambda cause: cause.share)
    takes = f"{most.cause} takes more time ({duration(most.share * step_ns)} of the {unit}, {percent(most.share)})"
    if most.cause in designed:
        return f"{takes}, but that is by design."
    if gain(most, step_ns) >= gain(first, step_ns):
        return None
    return (
        f"{takes}, but {first.cause} comes first, because there is more to win: without {most.cause} alone the {unit} takes "
        f"{_without(most, step_ns)}, without {first.cause} alone {_without(first, step_ns)}."
    )


def _wins_more(
    first: Cause, others: Sequence[Cause], step_ns: float, unit: str, designed: frozenset[str], predictions: Predictions
) -> str | None:
    more = [cause for cause in others if cause.cause not in designed and gain(cause, step_ns) > gain(first, step_ns)]
    more = sorted((cause for cause in more if cause.is_finding), key=lambda cause: -gain(cause, step_ns))
    if not more:
        return None
    frequent = predictions.frequent_waits
    held = [cause for cause in more if frequent and first.cause in frequent.waits and cause.cause in frequent.graphs]
    best = (held or more)[0]
    without = f"Without {best.cause} alone the {unit} is"
    wins = f"{without} shorter still ({_without(best, step_ns)}), but {first.cause} comes first"
    if held:
        return f"{wins}: no CUDA graph can hold its waits for the GPU, and they come too often."
    if gain(first, step_ns) >= least_equal(gain(best, step_ns)):
        return f"{without} about as short ({_without(best, step_ns)}): {first.cause} comes first, because it takes more time."
    tracing = predictions.traced.get(best.cause, 0.0)
    if gain(best, step_ns) - gain(first, step_ns) <= tracing:
        return f"{wins}, because it takes more time. {_up_to(tracing * step_ns, unit)}."
    return None


def _up_to(tracing_ns: float, unit: str) -> str:
    return f"Up to {duration(tracing_ns)} of the {unit} may be the cost of tracing, which slows launches"


def _held_by_waits(first: Cause, others: Sequence[Cause], frequent: FrequentWaits | None) -> str | None:
    if frequent is None or first.cause not in frequent.graphs:
        return None
    waits = " and ".join(cause.cause for cause in others if cause.is_finding and cause.cause in frequent.waits)
    return (
        f"No CUDA graph can hold the waits of {waits}, which come too often: for graphs, remove these first." if waits else None
    )


def _without(cause: Cause, step_ns: float) -> str:
    return f"about {duration((1 - gain(cause, step_ns)) * step_ns)}"
