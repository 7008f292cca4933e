"""The diagnosis as one JSON object. Within one schema version, keys may be added but not removed."""

from dataclasses import asdict
from typing import Any

from gapfinder.diagnosis.diagnosis import SCHEMA, Device, Diagnosis
from gapfinder.diagnosis.finding import Evidence, Finding
from gapfinder.diagnosis.regimes import RegimeDevice
from gapfinder.diagnosis.requests import Requests


def document(diagnosis: Diagnosis) -> dict[str, Any]:
    """The JSON object, without the comparison of ranks (`job`)."""
    return {
        "schema": SCHEMA,
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
        "job": None,
        "gates": [asdict(gate) for gate in diagnosis.gates],
    }


def _requests(requests: Requests) -> dict[str, Any]:
    return asdict(requests) | {"causes": [{"cause": cause, "lost_ns": lost_ns} for cause, lost_ns in requests.causes.items()]}


def _device(device: Device | RegimeDevice) -> dict[str, Any]:
    return asdict(device) | {"causes": [{"cause": cause, "lost_ns": lost_ns} for cause, lost_ns in device.causes.items()]}


def _cause(cause: Finding) -> dict[str, Any]:
    return asdict(cause) | {"evidence": [_evidence(fact) for fact in cause.evidence]}


def _evidence(fact: Evidence) -> dict[str, Any]:
    return {key: value for key, value in asdict(fact).items() if value is not None}
