"""The headline of a job: the verdict in one sentence with its number."""

from collections.abc import Mapping, Sequence

from gapfinder.diagnosis.finding import GPU_BOUND
from gapfinder.diagnosis.job import COMMUNICATION, PIPELINE_BUBBLE, RANK_IMBALANCE, JobFinding, LateRank, RankLedger
from gapfinder.job.patterns import PIPELINE, TENSOR
from gapfinder.job.predict import JobPredictions
from gapfinder.pipeline.causes import CauseSpec
from gapfinder.units import between, count, duration, percent


def headline(
    verdict: str,
    causes: Sequence[JobFinding],
    late_rank: LateRank | None,
    ledgers: Sequence[RankLedger],
    step_ns: float,
    predictions: JobPredictions,
    parallelism: str | None,
    specs: Mapping[str, CauseSpec],
    line: str | None,
    step_range: tuple[int, int] | None,
    *,
    has_steps: bool,
) -> str:
    """The headline. Times are per step; lost time is the mean of the ranks, waiting is that of the longest-waiting rank.

    `line` is the source line that the late rank runs instead; None if there are no Python samples. `step_range` takes the
    place of a prediction.
    """
    a_step = f"each {duration(step_ns)} step" if has_steps else duration(step_ns)
    condition = "hidden behind compute," if verdict == COMMUNICATION else "without it"
    without = f"; {condition} about {duration(ns)}" if (ns := predictions.of(verdict)) is not None else ""
    if step_range:
        without = f"; without it {between(*step_range)}"
    if verdict == RANK_IMBALANCE and late_rank:
        lost = f"{duration(late_rank.waiting_ns)} of {a_step} ({percent(late_rank.share)})"
        if late_rank.rank is None:
            changes = f"The late rank changes ({_often(late_rank)})"
            return f"{changes}: {lost} are spent waiting for it, mostly because of {_why(late_rank, specs, line)}{without}."
        often = f" in {late_rank.steps.get(late_rank.rank, 0)} of {count(late_rank.of_steps, 'step')}" if has_steps else ""
        late = f"Rank {late_rank.rank} arrives late{often}"
        return f"{late}, and {lost} are spent waiting for it, because of {_why(late_rank, specs, line)}{without}."
    mean = f"mean of {len(ledgers)} ranks"
    if verdict == GPU_BOUND:
        busy = sum(ledger.compute_ns for ledger in ledgers) / sum(ledger.window_ns for ledger in ledgers)
        waiting = next((cause.share for cause in causes if cause.cause == RANK_IMBALANCE), 0.0)
        waits = f"no rank is late ({percent(waiting)} is waiting for one)"
        return f"The GPUs are the bottleneck: they compute {percent(busy)} of {a_step} ({mean}); {waits}."
    cause = next(cause for cause in causes if cause.cause == verdict)
    lost = f"{duration(cause.share * step_ns)} of {a_step} ({percent(cause.share)}, {mean})"
    if verdict == PIPELINE_BUBBLE:
        return f"No rank is at fault: {lost} are the {PIPELINE} schedule's own bubble, in which a stage waits for its turn."
    if parallelism == TENSOR and verdict == COMMUNICATION:
        return f"No rank is at fault: {lost} are the {TENSOR} layers' own all-reduces, whose result the next kernel needs."
    return f"{lost} are lost to {verdict}: {cause.meaning}{without}."


def _why(late_rank: LateRank, specs: Mapping[str, CauseSpec], line: str | None) -> str:
    """What the late rank does instead."""
    if late_rank.cause == "compute":
        return "compute: it has more of it than the others"
    at = f" at {line}" if line else ""
    return f"{late_rank.cause}{at}: {specs[late_rank.cause].meaning}" if late_rank.cause in specs else late_rank.cause + at


def _often(late_rank: LateRank) -> str:
    return ", ".join(f"rank {rank} in {times} of {count(late_rank.of_steps, 'step')}" for rank, times in late_rank.steps.items())
