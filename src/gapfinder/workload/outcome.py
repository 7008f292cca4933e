"""`Outcome`: the results of a diagnosis that a proof needs, for one trace or for all ranks of a job."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gapfinder.diagnosis.cause import Evidence
from gapfinder.diagnosis.diagnose import diagnose
from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.diagnosis.job import RANK_IMBALANCE, Job
from gapfinder.job.in_trace import job_of
from gapfinder.job.paths import all_traces
from gapfinder.job.traces import diagnose_job
from gapfinder.opening import open_trace
from gapfinder.options import Options
from gapfinder.pipeline.config import read_config
from gapfinder.pipeline.stages import silent


@dataclass(frozen=True)
class Outcome:
    """The diagnosis of one variant of a workload. If ranks wait for a late rank, the verdict is the cause on the late rank.

    `rank` is the late rank; None if it changes from step to step, or if no rank is late. `lost_ns` is the lost time per step, the
    mean of the GPUs. `findings` are causes, `predicted_ns` is the step without each cause, `lines` are its source lines.
    """

    verdict: str
    rank: int | None
    step_ns: float
    lost_ns: float
    findings: list[str]
    predicted_ns: dict[str, int]
    lines: dict[str, list[str]]

    @property
    def verdict_and_rank(self) -> str:
        """The verdict, with the late rank if there is one."""
        return self.verdict if self.rank is None else f"{self.verdict} on rank {self.rank}"


def outcome(traces: Sequence[Path]) -> Outcome:
    """Diagnose one trace, or the traces of all ranks of a job. Raises the errors of `gapfinder.open`."""
    options, config = Options(), read_config(users=False)
    if len(traces) > 1:
        return of_job(diagnose_job(all_traces(traces), options, config, silent)[0])
    with open_trace(traces[0], options, config, silent) as trace:
        diagnosis = diagnose(trace)
        job = job_of(trace, diagnosis)
    return of_job(job) if job else _of_trace(diagnosis)


def _of_trace(diagnosis: Diagnosis) -> Outcome:
    shares = [sum(device.causes.values()) / device.window_ns for device in diagnosis.devices]
    return Outcome(
        verdict=diagnosis.verdict,
        rank=None,
        step_ns=diagnosis.window.step_ns,
        lost_ns=diagnosis.window.step_ns * sum(shares) / len(shares),
        findings=[cause.cause for cause in diagnosis.causes if cause.is_finding],
        predicted_ns={cause.cause: cause.predicted_step_ns for cause in diagnosis.causes if cause.predicted_step_ns is not None},
        lines={cause.cause: _lines(cause.evidence) for cause in diagnosis.causes},
    )


def of_job(job: Job) -> Outcome:
    """The outcome of a job."""
    late = job.late if job.verdict == RANK_IMBALANCE else None
    verdict = late.cause if late and late.cause != "compute" else job.verdict
    shares = [sum(rank.causes.values()) / rank.window_ns for rank in job.ranks]
    return Outcome(
        verdict=verdict,
        rank=late.rank if late else None,
        step_ns=job.step_ns,
        lost_ns=job.step_ns * sum(shares) / len(shares),
        findings=[cause.cause for cause in job.causes if cause.is_finding and not cause.by_design],
        predicted_ns={} if job.predicted_step_ns is None else {verdict: job.predicted_step_ns},
        lines={verdict: _lines(job.evidence)},
    )


def _lines(evidence: Sequence[Evidence]) -> list[str]:
    return [fact.source_line for fact in evidence if fact.source_line]
