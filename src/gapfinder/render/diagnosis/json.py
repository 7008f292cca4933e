"""One JSON object, for programs. The keys are a contract: more may come, none goes."""

import json
from dataclasses import asdict

from gapfinder.diagnosis.diagnosis import SCHEMA, Cause, Diagnosis, Evidence
from gapfinder.render.job.json import inside


def render(diagnosis: Diagnosis, *, width: int, color: bool) -> str:  # noqa: ARG001  the same for every renderer
    """The diagnosis as JSON."""
    document = {
        "schema": SCHEMA,
        "verdict": {"cause": diagnosis.verdict, "headline": diagnosis.headline},
        "window": asdict(diagnosis.window),
        "devices": [
            asdict(device) | {"causes": [{"cause": cause, "lost_ns": lost_ns} for cause, lost_ns in device.causes.items()]}
            for device in diagnosis.devices
        ],
        "causes": [_cause(cause) for cause in diagnosis.causes],
        "fixes": [asdict(fix) for fix in diagnosis.fixes],
        "floor_step_ns": diagnosis.floor_step_ns,
        "unprofiled_step_ns": diagnosis.unprofiled_step_ns,
        "phases": [asdict(phase) for phase in diagnosis.phases],
        "kernels": [asdict(kernel) for kernel in diagnosis.kernels],
        "next_command": diagnosis.next_command,
        "replay_error": diagnosis.replay_error,
        "notes": diagnosis.notes,
        "job": inside(diagnosis.job) if diagnosis.job else None,
        "gates": [asdict(gate) for gate in diagnosis.gates],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _cause(cause: Cause) -> dict[str, object]:
    return asdict(cause) | {"evidence": [_evidence(fact) for fact in cause.evidence]}


def _evidence(fact: Evidence) -> dict[str, object]:
    return {key: value for key, value in asdict(fact).items() if value is not None}
