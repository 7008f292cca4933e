"""What a trace says of each quantity that a gate may be about, and which of them it cannot tell."""

from dataclasses import dataclass

from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.gates.expression import COMPUTE, LOST, STEP, quantities
from gapfinder.ingest.nsys.load import CALLS
from gapfinder.trace import Trace


@dataclass(frozen=True)
class Facts:
    """Shares of the window by quantity, 0 to 1, the time of a step, and why a quantity is unknown.

    `step_ns` is None where the trace has no steps.
    """

    step_ns: float | None
    shares: dict[str, float]
    unknown: dict[str, str]


def facts(trace: Trace, diagnosis: Diagnosis) -> Facts:
    """The facts of a trace that was diagnosed."""
    whole_steps = trace.facts("SELECT 1 FROM step_times LIMIT 1")
    compute = sum(device.compute_ns for device in diagnosis.devices) / sum(device.window_ns for device in diagnosis.devices)
    shares = dict.fromkeys(quantities(trace.config.causes), 0.0) | {cause.cause: cause.share for cause in diagnosis.causes}
    return Facts(
        step_ns=diagnosis.window.step_ns if whole_steps else None,
        shares=shares | {COMPUTE: compute, LOST: 1 - compute, STEP: 1.0},
        unknown=_unknown(trace),
    )


def _unknown(trace: Trace) -> dict[str, str]:
    if CALLS not in trace.tables:
        return dict.fromkeys(quantities(trace.config.causes), "the trace holds no CUDA API calls (capture with --trace=cuda)")
    return dict(trace.tuples("SELECT cause, reason FROM unknown"))
