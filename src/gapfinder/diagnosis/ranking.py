"""Ranks causes by the time that removing them would save, and decides which of them are findings."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from gapfinder.diagnosis.cause import DiagnosedCause
from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.diagnosis.job import JobCause
from gapfinder.pipeline.cause_spec import CauseSpec
from gapfinder.replay.predict import Predictions, best_of
from gapfinder.replay.ranges import Range
from gapfinder.units import duration


def ranked(
    causes: list[DiagnosedCause], predictions: Predictions, step_ns: float, specs: Mapping[str, CauseSpec]
) -> list[DiagnosedCause]:
    """The causes with their predictions, in order of what there is to win, most first. `specs` are the causes' specifications.

    A cause without a prediction counts with its lost time; one by design comes after all others. Among causes that win about as
    much, or about as much without what tracing may have added, the one with the most lost time comes first. A wait for the GPU
    cannot be captured in a CUDA graph. So if waits come too often for graphs (`predictions.frequent_waits`), findings that remove
    these waits come before causes that are removed by a graph, where they cost enough (`FrequentWaits.before`).
    """
    causes = [_predicted(cause, predictions.step_ns.get(cause.cause), predictions.ranges.get(cause.cause)) for cause in causes]
    gains = {cause.cause: gain(cause, step_ns) for cause in causes}
    by_design = designed(specs) & gains.keys()
    worked = 1 - sum(cause.share for cause in causes if cause.cause in by_design) or 1.0  # without what is by design
    causes = [
        replace(cause, is_finding=costs_enough(specs[cause.cause], cause.share / worked, gains[cause.cause] / worked))
        for cause in causes
    ]
    gains |= dict.fromkeys(by_design, -1.0)  # after all others, whatever they would save
    remaining = {cause.cause: cause for cause in sorted(causes, key=lambda cause: (-cause.lost_ns, cause.cause))}
    result = [remaining.pop(best_of(remaining, gains, list(remaining), predictions.traced)) for _ in causes]
    frequent = predictions.frequent_waits
    first = next((place for place, cause in enumerate(result) if frequent and cause.cause in frequent.graphs), None)
    if frequent is None or first is None:
        return result
    lost = {
        cause.cause: cause.lost_ns for place, cause in enumerate(result) if place == first or (place > first and cause.is_finding)
    }
    waits = frequent.before(result[first].cause, lost)
    before = [cause for place, cause in enumerate(result) if place < first or cause.cause in waits]
    return before + [cause for cause in result if cause not in before]


def _predicted(cause: DiagnosedCause, step_ns: int | None, range_: Range | None) -> DiagnosedCause:
    """The cause with its prediction: a number, or a range if there is none."""
    return replace(
        cause,
        predicted_step_ns=step_ns,
        predicted_range_ns=(range_.low_ns, range_.high_ns) if range_ and step_ns is None else None,
        why_range=range_.why if range_ else None,
    )


def costs_enough(spec: CauseSpec, share: float, gain: float = 0.0) -> bool:
    """Whether a cause is a finding: by its share of the time, or by what its removal saves of it."""
    return share >= spec.finding_share or gain >= spec.finding_gain


def designed(specs: Mapping[str, CauseSpec]) -> frozenset[str]:
    """The causes that are by design in every program: nothing can be saved."""
    return frozenset(cause for cause, spec in specs.items() if spec.by_design)


def gain(cause: DiagnosedCause | JobCause, step_ns: float) -> float:
    """The share of the step that removing the cause would save: by the replay if there is a prediction, else all of its time."""
    return cause.share if cause.predicted_step_ns is None else 1 - cause.predicted_step_ns / step_ns


@dataclass(frozen=True)
class FixOrder:
    """The order of fixes: how long something takes as measured, after each fix, and with the GPU's work alone, in ns."""

    measured_ns: float
    fixes: list[tuple[str, float]]
    floor_ns: float

    @property
    def line(self) -> str:
        """The order in one line."""
        (first, first_ns), *rest = self.fixes
        parts = [f"Fix {first}: {duration(self.measured_ns)} -> {duration(first_ns)}"]
        parts += [f"then {cause}: -> {duration(ns)}" for cause, ns in rest]
        return "; ".join([*parts, f"floor (GPU work alone): {duration(self.floor_ns)}"])


def order_of_fixes(diagnosis: Diagnosis) -> FixOrder | None:
    """The order of fixes for a step, or for the work on a request of a server; None if there is nothing to fix.

    None, too, if no replay of several steps removes the first cause: an order without it would mislead.
    """
    worst = next((cause for cause in diagnosis.causes if cause.is_finding), None)
    if not diagnosis.fixes or diagnosis.floor_step_ns is None or worst is None or worst.why_range:
        return None
    window, requests = diagnosis.window, diagnosis.requests
    if requests is None:
        fixes = [(fix.cause, float(fix.predicted_step_ns)) for fix in diagnosis.fixes]
        return FixOrder(window.step_ns, fixes, diagnosis.floor_step_ns)
    by_name = {cause.cause: cause for cause in diagnosis.causes}
    busy_ns, step_ns, fixes = float(requests.busy_ns), window.step_ns, []
    for fix in diagnosis.fixes:
        busy_ns -= requests.saved_ns(by_name[fix.cause], step_ns - fix.predicted_step_ns, window)
        step_ns = fix.predicted_step_ns
        fixes.append((fix.cause, max(requests.compute_ns, busy_ns)))
    return FixOrder(requests.busy_ns, fixes, requests.busy_if(diagnosis.floor_step_ns, window))
