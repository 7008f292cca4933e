"""The measurements of a job in the form of a single trace, for comparisons and gates."""

from collections.abc import Sequence

from gapfinder.diagnosis.cause import DiagnosedCause, Fix
from gapfinder.diagnosis.device import Device
from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.diagnosis.job import BETWEEN_RANKS, Job
from gapfinder.diagnosis.measured import KernelRuns, Measured
from gapfinder.diagnosis.quantities import shares_of
from gapfinder.diagnosis.window import DiagnosedWindow
from gapfinder.gates.check import Quantities
from gapfinder.gates.expression import COMPUTE, LOST, STEP

SHARED = ("cause", "meaning", "lost_ns", "share", "is_finding", "fix", "predicted_step_ns")  # by causes of traces and of jobs


def measured(name: str, job: Job, parts: Sequence[Measured]) -> Measured:
    """The measurements of a job called `name`, with the kernels and activities of all its traces (`parts`)."""
    kernels: dict[str, KernelRuns] = {}
    activities: dict[str, int] = {}
    for part in parts:
        scale = job.steps / (part.steps or job.steps)  # each trace has its own window
        for kernel, runs in part.kernels.items():
            so_far = kernels.get(kernel, KernelRuns(0, 0))
            kernels[kernel] = KernelRuns(so_far.times + round(runs.times * scale), so_far.gpu_ns + round(runs.gpu_ns * scale))
        for kind, count in part.activities.items():
            activities[kind] = activities.get(kind, 0) + round(count * scale)
    return Measured(
        _diagnosis(name, job, parts[0].diagnosis.window), quantities_of_job(job, parts), job.step_lengths_ns, kernels, activities
    )


def quantities_of_job(job: Job, parts: Sequence[Measured]) -> Quantities:
    """The quantities that gates can check, as the mean of the ranks.

    A trace of one rank cannot tell waiting from data movement, but the ranks together can: these causes are known here.
    """
    causes = {cause for part in parts for cause in part.quantities.shares} - {STEP, COMPUTE, LOST}
    unknown = {what: why for part in parts for what, why in part.quantities.unknown.items() if what not in BETWEEN_RANKS}
    obstacle = job.incomplete or next((part.quantities.obstacle for part in parts if part.quantities.obstacle), None)
    return Quantities(job.step_ns if job.has_steps else None, shares_of(job, causes), unknown, obstacle)


def _diagnosis(name: str, job: Job, like: DiagnosedWindow) -> Diagnosis:
    return Diagnosis(
        trace=name,
        verdict=job.verdict,
        window=DiagnosedWindow(
            0, job.window_ns, job.window_ns, job.steps, job.step_ns, like.source, like.step_name, 0, like.regime, like.unit
        ),
        devices=[Device(rank.rank, rank.gpu_name, rank.window_ns, rank.compute_ns, rank.causes) for rank in job.ranks],
        causes=[DiagnosedCause(count=0, **{name: getattr(cause, name) for name in SHARED}) for cause in job.causes],
        fixes=[Fix(job.verdict, job.predicted_step_ns)] if job.predicted_step_ns is not None else [],
        replay_error=job.replay_error,
        notes=job.notes,
        damage=job.damage,
    )
