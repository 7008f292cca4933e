"""One JSON object, for programs. The keys are a contract: more may come, none goes."""

import json
from dataclasses import asdict

from gapfinder.diagnosis.job import SCHEMA, Job, RankLedger


def render(job: Job, *, width: int, color: bool) -> str:  # noqa: ARG001  the same for every renderer
    """The diagnosis of the job as JSON."""
    ranks = [{"rank": rank.rank, "trace": rank.trace} | _ledger(rank) for rank in job.ranks]
    gates = [asdict(gate) for gate in job.gates]
    document = {"schema": SCHEMA, "job": told(job), "ranks": ranks, "traces": job.traces, "notes": job.notes, "gates": gates}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def inside(job: Job) -> dict[str, object]:
    """The same of a job that is all in one trace, as part of its diagnosis."""
    return told(job) | {"ranks": [_ledger(rank) for rank in job.ranks]}


def told(job: Job) -> dict[str, object]:
    """What is said of the job as a whole."""
    return {
        "verdict": {"cause": job.verdict, "headline": job.headline},
        "late": asdict(job.late) if job.late else None,
        "waits": [asdict(wait) for wait in job.waits],
        "fix": job.fix,
        "predicted_step_ns": job.predicted_step_ns,
        "step_ns": job.step_ns,
        "steps": job.steps,
        "step_lengths_ns": job.step_lengths_ns,
        "window_ns": job.window_ns,
        "pattern": job.pattern,
        "causes": [asdict(cause) for cause in job.causes],
        "evidence": [{key: value for key, value in asdict(fact).items() if value is not None} for fact in job.evidence],
        "replay_error": job.replay_error,
        "alignment": asdict(job.alignment),
        "collectives": [asdict(one) for one in job.transfers],
        "streams": [asdict(one) for one in job.streams],
    }


def _ledger(rank: RankLedger) -> dict[str, object]:
    causes = [{"cause": cause, "lost_ns": lost_ns} for cause, lost_ns in rank.causes.items()]
    found = {key: value for key, value in asdict(rank).items() if key != "trace"}
    return found | {"causes": causes}
