"""What a trace says of each quantity that a gate may be about, and which of them it cannot tell."""

from dataclasses import dataclass

from gapfinder.diagnosis.model import Diagnosis
from gapfinder.gates.expression import COMPUTE, LOST, STEP, quantities
from gapfinder.ingest.load import CALLS
from gapfinder.trace import Trace

# Causes that are told by what a trace may lack; the tables are as in diagnosis/notes.py.
BY_OS_CALLS = ("lock_contention", "storage_io", "host_compute")  # without them, waits look like plain code
BY_NAMES_OR_OS_CALLS = ("input_pipeline",)
INSIDE_GRAPHS = ("queue_latency", "stream_dependency")
BETWEEN_RANKS = ("rank_imbalance", "communication")


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
    unknown: dict[str, str] = {}
    if "OSRT_API" not in trace.tables:
        lack = "the trace holds no OS calls (capture with --trace=cuda,nvtx,osrt)"
        unknown |= dict.fromkeys(BY_OS_CALLS, lack)
        if "NVTX_EVENTS" not in trace.tables:
            unknown |= dict.fromkeys(BY_NAMES_OR_OS_CALLS, lack)
    if trace.facts("SELECT 1 FROM graph_launches LIMIT 1"):
        lack = "CUDA graphs were traced as a whole (capture with --cuda-graph-trace=node)"
        unknown |= dict.fromkeys(INSIDE_GRAPHS, lack)
    communicates = trace.facts("SELECT 1 FROM op_counts WHERE kind = 'communication'")
    if communicates and not trace.facts("SELECT 1 FROM collectives WHERE peers > 0 LIMIT 1"):
        unknown |= dict.fromkeys(BETWEEN_RANKS, "the trace holds one rank (capture all ranks in one report)")
    return unknown
