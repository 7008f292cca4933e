"""The diagnosis of a job as one JSON object, for programs. Keys may be added, but not removed."""

import json
from dataclasses import asdict

from gapfinder.diagnosis.job import SCHEMA, Job, RankLedger


def render(job: Job, *, width: int, color: bool) -> str:  # noqa: ARG001  part of the protocol
    """The diagnosis of the job as JSON."""
    ranks = [{"rank": rank.rank, "trace": rank.trace} | _ledger(rank) for rank in job.ranks]
    gates = [asdict(gate) for gate in job.gates]
    document = {"schema": SCHEMA, "job": _summary(job), "ranks": ranks, "traces": job.traces, "notes": job.notes, "gates": gates}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def job_in_trace(job: Job) -> dict[str, object]:
    """The job of a trace with several ranks, as part of the diagnosis of that trace."""
    return _summary(job) | {"ranks": [_ledger(rank) for rank in job.ranks]}


def _summary(job: Job) -> dict[str, object]:
    """The fields of a job except its ranks."""
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
        "step_lengths_ns": job.step_lengths_ns,
        "window_ns": job.window_ns,
        "pattern": job.pattern,
        "causes": [asdict(cause) for cause in job.causes],
        "evidence": [{key: value for key, value in asdict(fact).items() if value is not None} for fact in job.evidence],
        "replay_error": job.replay_error,
        "alignment": asdict(job.alignment),
        "collectives": [asdict(transfer) for transfer in job.transfers],
        "streams": [asdict(stream) for stream in job.streams],
    }


def _ledger(rank: RankLedger) -> dict[str, object]:
    causes = [{"cause": cause, "lost_ns": lost_ns} for cause, lost_ns in rank.causes.items()]
    fields = {key: value for key, value in asdict(rank).items() if key != "trace"}
    return fields | {"causes": causes}
