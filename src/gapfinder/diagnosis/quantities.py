"""The quantities of one trace that gates can check, and which of them the trace cannot tell."""

from collections.abc import Collection

from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.diagnosis.job import Job
from gapfinder.gates.check import Quantities
from gapfinder.gates.expression import COMPUTE, LOST, STEP, quantities
from gapfinder.ingest.nsys.load import CALLS
from gapfinder.trace import OpenTrace

DAMAGED = "the trace is damaged, or its verdict rests on few rows (see the notes)"


def quantities_of(trace: OpenTrace, diagnosis: Diagnosis) -> Quantities:
    """The quantities of a diagnosed trace."""
    return Quantities(
        step_ns=None if diagnosis.window.is_one else diagnosis.window.step_ns,
        shares=shares_of(diagnosis, trace.config.causes),
        unknown=_unknown(trace),
        obstacle=DAMAGED if diagnosis.damage else None,
    )


def shares_of(result: Diagnosis | Job, causes: Collection[str]) -> dict[str, float]:
    """The share of the window of each quantity that a gate can check: of all these causes, of compute, and of lost time."""
    shares = dict.fromkeys(quantities(causes), 0.0) | {cause.cause: cause.share for cause in result.causes}
    return shares | {COMPUTE: result.compute_share, LOST: 1 - result.compute_share, STEP: 1.0}


def _unknown(trace: OpenTrace) -> dict[str, str]:
    if CALLS not in trace.tables:
        return dict.fromkeys(
            quantities(trace.config.causes), "the trace holds no CUDA API calls (`gapfinder capture` records them)"
        )
    return dict(trace.tuples("SELECT cause, reason FROM unknown"))
