"""One JSON object, for programs. The keys are a contract: more may come, none goes."""

import json
from dataclasses import asdict

from gapfinder.job.model import SCHEMA, Job


def render(job: Job, *, width: int, color: bool) -> str:  # noqa: ARG001  the same for every renderer
    """The diagnosis of the job as JSON."""
    return json.dumps({"schema": SCHEMA, **document(job)}, indent=1, ensure_ascii=False) + "\n"


def document(job: Job) -> dict[str, object]:
    """The same as data, which the diagnosis of a trace with several ranks has under `job`."""
    found = asdict(job)
    gates = found.pop("gates")
    return {
        "job": {
            "verdict": {"cause": found.pop("verdict"), "headline": found.pop("headline")},
            **{key: found.pop(key) for key in ("late", "fix", "predicted_step_ns", "step_ns", "steps", "window_ns", "pattern")},
            "causes": found.pop("causes"),
            "evidence": [{key: value for key, value in fact.items() if value is not None} for fact in found.pop("evidence")],
            "replay_error": found.pop("replay_error"),
            "alignment": found.pop("alignment"),
            "collectives": found.pop("transfers"),
            "streams": found.pop("streams"),
        },
        "ranks": [
            rank | {"causes": [{"cause": cause, "lost_ns": ns} for cause, ns in rank["causes"].items()]}
            for rank in found.pop("ranks")
        ],
        "traces": found.pop("traces"),
        "notes": found.pop("notes"),
        "gates": gates,
    }
