"""The headline of a job: the verdict in one sentence with its number."""

from collections.abc import Mapping

from gapfinder.diagnosis.cause import GPU_BOUND
from gapfinder.diagnosis.job import COMMUNICATION, PIPELINE_BUBBLE, RANK_IMBALANCE, Job, LateRank
from gapfinder.job.patterns import PIPELINE, TENSOR
from gapfinder.job.words import by_rank
from gapfinder.pipeline.cause_spec import CauseSpec
from gapfinder.units import between, count, duration, percent


def headline(job: Job, specs: Mapping[str, CauseSpec]) -> str:
    """The headline. Times are per step; lost time is the mean of the ranks, waiting is that of the longest-waiting rank."""
    sentence = _sentence(job, specs)
    return f"Not certain, because {job.incomplete}. {sentence}" if job.incomplete else sentence


def _sentence(job: Job, specs: Mapping[str, CauseSpec]) -> str:
    a_step = f"each {duration(job.step_ns)} step" if job.has_steps else duration(job.step_ns)
    if job.verdict == RANK_IMBALANCE and job.late:
        return _late(job, job.late, specs, a_step)
    mean = f"mean of {len(job.ranks)} ranks"
    if job.verdict == GPU_BOUND:
        waiting = next((cause.share for cause in job.causes if cause.cause == RANK_IMBALANCE), 0.0)
        waits = f"no rank is late ({percent(waiting)} is waiting for one)"
        return f"The GPUs are the bottleneck: they compute {percent(job.compute_share)} of {a_step} ({mean}); {waits}."
    cause = next(cause for cause in job.causes if cause.cause == job.verdict)
    lost = f"{duration(cause.share * job.step_ns)} of {a_step} ({percent(cause.share)}, {mean})"
    if job.verdict == PIPELINE_BUBBLE:
        return f"No rank is at fault: {lost} are the {PIPELINE} schedule's own bubble, in which a stage waits for its turn."
    if job.pattern == TENSOR and job.verdict == COMMUNICATION:
        return f"No rank is at fault: {lost} are the {TENSOR} layers' own all-reduces, whose result the next kernel needs."
    return f"{lost} are lost to {job.verdict}: {cause.meaning}{_without(job)}."


def _late(job: Job, late_rank: LateRank, specs: Mapping[str, CauseSpec], a_step: str) -> str:
    lost = f"{duration(late_rank.waiting_ns)} of {a_step} ({percent(late_rank.share)})"
    why = _why(late_rank, specs, job.line)
    if late_rank.rank is None:
        changes = f"The late rank changes ({by_rank(late_rank)} of {count(late_rank.of_steps, 'step')})"
        return f"{changes}: {lost} are spent waiting for it, mostly because of {why}{_without(job)}."
    often = f" in {late_rank.steps.get(late_rank.rank, 0)} of {count(late_rank.of_steps, 'step')}" if job.has_steps else ""
    late = f"Rank {late_rank.rank} arrives late{often}"
    because = "because" if late_rank.causes == {late_rank.cause} else "mostly because"
    return f"{late}, and {lost} are spent waiting for it, {because} of {why}{_without(job)}."


def _without(job: Job) -> str:
    """What a step would take without the cause, as the end of a sentence."""
    if job.predicted_range_ns:
        return f"; without it {between(*job.predicted_range_ns)}"
    if job.predicted_step_ns is None:
        return ""
    condition = "hidden behind compute," if job.verdict == COMMUNICATION else "without it"
    return f"; {condition} about {duration(job.predicted_step_ns)}"


def _why(late_rank: LateRank, specs: Mapping[str, CauseSpec], line: str | None) -> str:
    """What the late rank does instead."""
    if late_rank.cause == "compute":
        return "compute: it has more of it than the others"
    at = f" at {line}" if line else ""
    return f"{late_rank.cause}{at}: {specs[late_rank.cause].meaning}" if late_rank.cause in specs else late_rank.cause + at
