"""Which causes are worth a verdict, and in which order: by what a replay says there is to win."""

from collections.abc import Mapping
from dataclasses import replace

from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.diagnosis.finding import Finding
from gapfinder.pipeline.causes import CauseSpec
from gapfinder.replay.predict import Predictions, best_of
from gapfinder.units import duration


def ranked(causes: list[Finding], predictions: Predictions, step_ns: float, specs: Mapping[str, CauseSpec]) -> list[Finding]:
    """The causes with their predictions, most to win first; `specs` are what their files say.

    A cause without a prediction counts with its lost time; of those that win as much the one comes first that lost most.
    Where waits leave no room for graphs, a finding that removes these waits comes before a cause that is removed as a graph: no
    stream that is waited for can be captured.
    """
    found = [replace(cause, predicted_step_ns=predictions.step_ns.get(cause.cause)) for cause in causes]
    found = [replace(cause, worth=cause.worth or gain(cause, step_ns) >= specs[cause.cause].finding_gain) for cause in found]
    gains = {cause.cause: gain(cause, step_ns) for cause in found}
    left = {cause.cause: cause for cause in sorted(found, key=lambda cause: (-cause.lost_ns, cause.cause))}
    found = [left.pop(best_of(left, gains, list(left))) for _ in found]
    if predictions.interrupted:
        graph = next((at for at, cause in enumerate(found) if cause.cause in predictions.interrupted.graphs), len(found))
        for cause in [cause for cause in found[graph:] if cause.worth and cause.cause in predictions.interrupted.waits]:
            found.remove(cause)
            found.insert(graph, cause)
    return found


def gain(cause: Finding, step_ns: float) -> float:
    """What there is to win, as a share of the step: by replay where there is one, else all that is lost."""
    return cause.share if cause.predicted_step_ns is None else 1 - cause.predicted_step_ns / step_ns


def order_of_fixes(diagnosis: Diagnosis) -> str | None:
    """What to fix first, what it brings, what comes next, and where it ends; None where there is nothing to fix."""
    if not diagnosis.fixes or diagnosis.floor_step_ns is None or not any(cause.worth for cause in diagnosis.causes):
        return None
    first, *rest = diagnosis.fixes
    parts = [f"Fix {first.cause}: {duration(diagnosis.window.step_ns)} -> {duration(first.predicted_step_ns)}"]
    parts += [f"then {fix.cause}: -> {duration(fix.predicted_step_ns)}" for fix in rest]
    return "; ".join([*parts, f"floor (GPU work alone): {duration(diagnosis.floor_step_ns)}"])
