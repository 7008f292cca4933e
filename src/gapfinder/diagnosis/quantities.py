"""The quantities of one trace that gates can check, and which of them the trace cannot tell."""

from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.gates.check import Quantities
from gapfinder.gates.expression import COMPUTE, LOST, STEP, quantities
from gapfinder.ingest.nsys.load import CALLS
from gapfinder.trace import OpenTrace

DAMAGED = "the trace is damaged, or its verdict rests on few rows (see the notes)"


def quantities_of(trace: OpenTrace, diagnosis: Diagnosis) -> Quantities:
    """The quantities of a diagnosed trace."""
    whole_steps = trace.facts("SELECT 1 FROM step_times LIMIT 1")
    compute = diagnosis.compute_share
    shares = dict.fromkeys(quantities(trace.config.causes), 0.0) | {cause.cause: cause.share for cause in diagnosis.causes}
    return Quantities(
        step_ns=diagnosis.window.step_ns if whole_steps else None,
        shares=shares | {COMPUTE: compute, LOST: 1 - compute, STEP: 1.0},
        unknown=_unknown(trace),
        obstacle=DAMAGED if diagnosis.damage else None,
    )


def _unknown(trace: OpenTrace) -> dict[str, str]:
    if CALLS not in trace.tables:
        return dict.fromkeys(
            quantities(trace.config.causes), "the trace holds no CUDA API calls (`gapfinder capture` records them)"
        )
    return dict(trace.tuples("SELECT cause, reason FROM unknown"))
