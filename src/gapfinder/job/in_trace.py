"""Diagnoses a trace. If it holds several ranks, the diagnosis is that of their job."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gapfinder.diagnosis.cause import GPU_BOUND, DiagnosedCause, Fix, Verdict
from gapfinder.diagnosis.device import Device
from gapfinder.diagnosis.diagnose import diagnose
from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.diagnosis.headline import headline, next_command
from gapfinder.diagnosis.job import BETWEEN_RANKS, RANK_IMBALANCE, Job
from gapfinder.diagnosis.reasons import loser
from gapfinder.diagnosis.reasons import why_gain as why_gain_of_cause
from gapfinder.diagnosis.regimes import shares
from gapfinder.job.headline import headline as of_job
from gapfinder.job.reasons import why_first, why_gain
from gapfinder.job.words import why_range
from gapfinder.options import REGIMES
from gapfinder.pipeline.cause_spec import CauseSpec
from gapfinder.trace import OpenTrace


def diagnose_trace(trace: OpenTrace) -> Diagnosis:
    """The diagnosis of a trace: of its job, if it holds several ranks of one."""
    diagnosis = diagnose(trace)
    job = job_of(trace, diagnosis)
    if job is None:
        return diagnosis
    from gapfinder.job.missing import why_seldom  # as in job_of

    diagnosis = replace(
        diagnosis,
        notes=list(dict.fromkeys([*diagnosis.notes, *job.damage])),
        damage=list(dict.fromkeys([*diagnosis.damage, *job.damage])),
    )
    if why := why_seldom(sum(rank.window_ns for rank in job.ranks), len(job.ranks) * diagnosis.window.length_ns):
        return replace(diagnosis, notes=[*diagnosis.notes, f"Not diagnosed as a job, because {why}."])
    return told_of_job(diagnosis, job, trace.config.causes)


def job_of(trace: OpenTrace, diagnosis: Diagnosis) -> Job | None:
    """The job in one trace with several GPUs; None if no two of them share a collective.

    Its times are per step of the trace, whose mean differs a little from that of the steps between collectives. Regimes without
    steps, as validations, have no job: the steps between their collectives are those of the regimes between them.
    """
    if len(diagnosis.devices) < 2 or diagnosis.window.unit in REGIMES or len(trace.tuples("SELECT 1 FROM rank_gpus LIMIT 2")) < 2:
        return None
    # most traces have one rank, and what jobs need takes 30 ms to import
    from gapfinder.job import diagnose as job_diagnosis
    from gapfinder.job.database import JobDatabase
    from gapfinder.job.extract import extract

    with JobDatabase() as database:
        ranks = extract(trace, diagnosis, database, range)
        return job_diagnosis.diagnose(
            ranks,
            database,
            trace.config.causes,
            mean_step_ns=diagnosis.window.step_ns,
            ranges_ns={cause.cause: cause.predicted_range_ns for cause in diagnosis.causes if cause.predicted_range_ns},
            devices=_by_gpu(diagnosis),
        )


def told_of_job(diagnosis: Diagnosis, job: Job, specs: Mapping[str, CauseSpec]) -> Diagnosis:
    """The diagnosis with the verdict, the predictions and the advice of the job; its ledger stays.

    If the job could not be replayed, the predictions stay those of a replay of one rank.
    """
    step_ns = diagnosis.window.step_ns
    job = _in_window(job, diagnosis, specs)
    is_replayed = any(cause.predicted_step_ns is not None for cause in job.causes)
    causes = [_of_job(cause, job, diagnosis.devices, step_ns, is_replayed=is_replayed) for cause in diagnosis.causes]
    causes.sort(key=lambda cause: (cause.cause != job.verdict, not cause.is_finding))
    fixes = diagnosis.fixes
    if is_replayed:
        fixes = [Fix(job.verdict, job.predicted_step_ns)] if job.predicted_step_ns is not None else []
    elif _is_range_of_ranks(job):
        fixes = []
    sentence = job.verdict.headline
    if not (job.pattern or job.incomplete or job.verdict in {GPU_BOUND, RANK_IMBALANCE}):  # it does not concern ranks
        sentence = headline(job.verdict, causes, diagnosis.devices, diagnosis.window, diagnosis.kernels, diagnosis.requests)
    return replace(
        diagnosis,
        doubt=None if job.incomplete else diagnosis.doubt,  # one reason is enough
        verdict=Verdict(job.verdict, sentence + shares(diagnosis.regimes, diagnosis.window.source)),
        causes=causes,
        fixes=fixes,
        floor_step_ns=None if is_replayed else diagnosis.floor_step_ns,
        next_command=(
            diagnosis.next_command if job.verdict == diagnosis.verdict.cause else next_command(job.verdict, diagnosis.kernels)
        ),
        replay_error=job.replay_error if is_replayed else diagnosis.replay_error,
        job=replace(job, verdict=Verdict(job.verdict, sentence)),
        why_first=job.why_first,
    )


def _in_window(job: Job, diagnosis: Diagnosis, specs: Mapping[str, CauseSpec]) -> Job:
    """The job with the ledgers of the trace, and what it says of them: those between collectives leave out parts of steps."""
    lost = {cause.cause: cause for cause in diagnosis.causes}
    devices = _by_gpu(diagnosis)
    ranks = [rank.in_trace(devices) for rank in job.ranks]
    causes = [
        replace(cause, lost_ns=own.lost_ns, share=own.share) if (own := lost.get(cause.cause)) else cause for cause in job.causes
    ]
    job = replace(job, ranks=ranks, causes=causes)
    return replace(job, verdict=Verdict(job.verdict, of_job(job, specs)), why_first=why_first(job, specs), why_gain=why_gain(job))


def _by_gpu(diagnosis: Diagnosis) -> dict[int, Device]:
    return {device.gpu: device for device in diagnosis.devices}


def _is_range_of_ranks(job: Job) -> bool:
    """Whether there is a range of what only a replay of all ranks tells: one rank does not say how long the others then take."""
    return job.predicted_range_ns is not None and job.verdict in BETWEEN_RANKS


def _of_job(cause: DiagnosedCause, job: Job, devices: Sequence[Device], step_ns: float, *, is_replayed: bool) -> DiagnosedCause:
    """A cause with the prediction and evidence of the job."""
    own = next((one for one in job.causes if one.cause == cause.cause), None)
    found = replace(cause, is_finding=own.is_finding if own else cause.is_finding)
    if is_replayed:
        found = replace(found, predicted_step_ns=own.predicted_step_ns if own else None)
        if found.predicted_step_ns is not None or found.predicted_range_ns is None:
            found = replace(found, predicted_range_ns=None, why_range=None)
        found = replace(found, why_gain=why_gain_of_cause(found, step_ns, None, loser(cause.cause, devices)))
    elif cause.cause == job.verdict and _is_range_of_ranks(job):
        found = replace(
            found, predicted_step_ns=None, why_gain=None, predicted_range_ns=job.predicted_range_ns, why_range=why_range(job)
        )
    if cause.cause != job.verdict:
        return found
    told = {fact.of_trace for fact in job.evidence}
    evidence = [*job.evidence, *(fact for fact in cause.evidence if fact.text not in told)]
    return replace(found, fix=job.fix or cause.fix, evidence=evidence, why_gain=job.why_gain if is_replayed else found.why_gain)
