"""Which causes are worth a verdict, and in which order: by what a replay says there is to win."""

from dataclasses import replace

from gapfinder.diagnosis.model import Cause, Diagnosis
from gapfinder.diagnosis.units import duration
from gapfinder.replay.predict import Predictions, best_of

WORTH = 0.03  # the share from which a cause is a finding, as in sql/5_ledger/ledger.sql
# A graph takes away the GPU's own pace between ops as well, to which healthy programs lose 4 to 6 % (as in ledger.sql).
WORTH_AS_GRAPH = {"launch_bound": 0.10, "queue_latency": 0.10}


def ranked(causes: list[Cause], predictions: Predictions, step_ns: float) -> list[Cause]:
    """The causes with their predictions, most to win first.

    A cause without a prediction counts with its lost time; of those that win as much the one comes first that lost most.
    Where waits leave no room for graphs, a host_sync that is worth a verdict comes before launch_bound: no stream that is waited
    for can be captured.
    """
    found = [replace(cause, predicted_step_ns=predictions.step_ns.get(cause.cause)) for cause in causes]
    found = [
        replace(cause, worth=cause.worth or gain(cause, step_ns) >= WORTH_AS_GRAPH.get(cause.cause, WORTH)) for cause in found
    ]
    gains = {cause.cause: gain(cause, step_ns) for cause in found}
    left = {cause.cause: cause for cause in sorted(found, key=lambda cause: (-cause.lost_ns, cause.cause))}
    found = [left.pop(best_of(left, gains, list(left))) for _ in found]
    place = {cause.cause: number for number, cause in enumerate(found)}
    graph, sync = place.get("launch_bound"), place.get("host_sync")
    if predictions.interrupted and graph is not None and sync is not None and graph < sync and found[sync].worth:
        found.insert(graph, found.pop(sync))
    return found


def gain(cause: Cause, step_ns: float) -> float:
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
