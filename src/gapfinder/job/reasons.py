"""Says why the verdict on a job comes first, and why removing it saves less or more than its whole time."""

from collections.abc import Mapping

from gapfinder.diagnosis import reasons
from gapfinder.diagnosis.job import RANK_IMBALANCE, Job, JobCause
from gapfinder.pipeline.cause_spec import CauseSpec
from gapfinder.replay.predict import FrequentWaits, Predictions
from gapfinder.units import duration


def why_first(job: Job, specs: Mapping[str, CauseSpec]) -> str | None:
    """Why the verdict is the verdict, if another cause takes more time of the mean rank or wins more."""
    own = _own(job)
    if own is None:
        return None
    late_rank, step_ns = job.late, job.step_ns
    others = [cause for cause in job.causes if cause is not own]
    more = next((cause for cause in others if cause.share > own.share and cause.is_finding and not cause.by_design), None)
    if job.verdict == RANK_IMBALANCE and late_rank and more:
        of_each = " of each step" if job.has_steps else ""
        takes = f"{more.cause} takes more time ({duration(more.share * step_ns)}, as the mean of the ranks)"
        if more.cause == late_rank.cause:
            return f"{takes}, but it is what the late rank does while the others wait for it: that is {job.verdict}."
        return f"{takes}, but waiting for the late rank holds the job up for {duration(late_rank.waiting_ns)}{of_each}."
    if late_rank and job.verdict == RANK_IMBALANCE:  # without what the late rank does instead no rank is late, either
        others = [cause for cause in others if cause.cause not in late_rank.causes]
    by_design = frozenset(cause.cause for cause in job.causes if cause.by_design)
    graphs = frozenset(cause for cause, spec in specs.items() if spec.remove and spec.remove.graph)
    frequent = FrequentWaits(graphs, frozenset(job.frequent_waits)) if job.frequent_waits else None
    unit, predictions = "step" if job.has_steps else "window", Predictions(frequent_waits=frequent)
    return reasons.why_first([own, *others], step_ns, unit, by_design, predictions)


def why_gain(job: Job) -> str | None:
    """Why a step without the verdict's cause is not shorter by just its time."""
    own, late_rank = _own(job), job.late
    if own is None or own.predicted_step_ns is None:
        return None
    if job.verdict != RANK_IMBALANCE or late_rank is None:
        return reasons.why_gain(own, job.step_ns, None, reasons.loser(own.cause, job.ranks))
    its = f"the {duration(late_rank.waiting_ns)} of waiting"
    why_less = "the other ranks have work of their own and would be late themselves"
    if late_rank.cause == "compute":
        why_less = "the work of the late rank does not go away: the other ranks would do their part of it"
    return reasons.why_saved(job.step_ns - own.predicted_step_ns, late_rank.waiting_ns, job.step_ns, its, why_less)


def _own(job: Job) -> JobCause | None:
    """The cause of the verdict."""
    return next((cause for cause in job.causes if cause.cause == job.verdict), None)
