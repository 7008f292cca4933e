"""The diagnosis of a trace, and of a job, as one JSON object. Within one schema version, keys may be added but not removed."""

from dataclasses import asdict
from typing import Any

from gapfinder.diagnosis import diagnosis as of_trace
from gapfinder.diagnosis import job as of_job
from gapfinder.diagnosis.cause import DiagnosedCause, Evidence
from gapfinder.diagnosis.device import Device
from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.diagnosis.job import Job, RankLedger
from gapfinder.diagnosis.requests import Requests


def document(diagnosis: Diagnosis) -> dict[str, Any]:
    """The JSON object of a trace. If it has several ranks, `job` compares them."""
    return {
        "schema": of_trace.SCHEMA,
        "verdict": {"cause": diagnosis.verdict, "headline": diagnosis.headline},
        "why_first": diagnosis.why_first,
        "window": asdict(diagnosis.window),
        "requests": _requests(diagnosis.requests) if diagnosis.requests else None,
        "tokens": asdict(diagnosis.tokens) if diagnosis.tokens else None,
        "devices": [_device(device) for device in diagnosis.devices],
        "causes": [_cause(cause) for cause in diagnosis.causes],
        "fixes": [asdict(fix) for fix in diagnosis.fixes],
        "floor_step_ns": diagnosis.floor_step_ns,
        "unprofiled_step_ns": diagnosis.unprofiled_step_ns,
        "regimes": [asdict(regime) | {"devices": [_device(device) for device in regime.devices]} for regime in diagnosis.regimes],
        "phases": [asdict(phase) for phase in diagnosis.phases],
        "kernels": [asdict(kernel) for kernel in diagnosis.kernels],
        "metrics": [asdict(metric) for metric in diagnosis.metrics],
        "next_command": diagnosis.next_command,
        "replay_error": diagnosis.replay_error,
        "notes": diagnosis.notes,
        "damage": diagnosis.damage,
        "job": _job(diagnosis.job) | {"ranks": [_rank(rank) for rank in diagnosis.job.ranks]} if diagnosis.job else None,
        "gates": [asdict(gate) for gate in diagnosis.gates],
    }


def job_document(job: Job) -> dict[str, Any]:
    """The JSON object of a job."""
    return {
        "schema": of_job.SCHEMA,
        "job": _job(job),
        "ranks": [{"rank": rank.rank, "trace": rank.trace} | _rank(rank) for rank in job.ranks],
        "traces": job.traces,
        "notes": job.notes,
        "damage": job.damage,
        "gates": [asdict(gate) for gate in job.gates],
    }


def _job(job: Job) -> dict[str, Any]:
    """What is said of the ranks together."""
    return {
        "verdict": {"cause": job.verdict, "headline": job.headline},
        "why_first": job.why_first,
        "late": asdict(job.late) if job.late else None,
        "waits": [asdict(wait) for wait in job.waits],
        "fix": job.fix,
        "predicted_step_ns": job.predicted_step_ns,
        "predicted_range_ns": job.predicted_range_ns,
        "why_gain": job.why_gain,
        "step_ns": job.step_ns,
        "steps": job.steps,
        "step_numbers": job.step_numbers,
        "step_lengths_ns": job.step_lengths_ns,
        "window_ns": job.window_ns,
        "pattern": job.pattern,
        "causes": [asdict(cause) for cause in job.causes],
        "evidence": [_evidence(fact) for fact in job.evidence],
        "replay_error": job.replay_error,
        "alignment": asdict(job.alignment),
        "collectives": [asdict(transfer) for transfer in job.transfers],
        "streams": [asdict(stream) for stream in job.streams],
    }


def _rank(rank: RankLedger) -> dict[str, Any]:
    fields = asdict(rank) | {"causes": _lost(rank.causes)}
    del fields["trace"]
    return fields


def _requests(requests: Requests) -> dict[str, Any]:
    return asdict(requests) | {"causes": _lost(requests.causes)}


def _device(device: Device) -> dict[str, Any]:
    return asdict(device) | {"causes": _lost(device.causes)}


def _lost(causes: dict[str, int]) -> list[dict[str, Any]]:
    return [{"cause": cause, "lost_ns": lost_ns} for cause, lost_ns in causes.items()]


def _cause(cause: DiagnosedCause) -> dict[str, Any]:
    return asdict(cause) | {"evidence": [_evidence(fact) for fact in cause.evidence]}


def _evidence(fact: Evidence) -> dict[str, Any]:
    return {key: value for key, value in asdict(fact).items() if value is not None}
