"""Proofs as rows of a table: the fault, its fix, and the control."""

from gapfinder.units import duration
from gapfinder.workload.outcome import Outcome
from gapfinder.workload.prove import Proof

COLUMNS = ("workload", "verdict", "step", "lost", "after the fix", "step", "lost", "faster", "predicted", "control")


def rows(proofs: list[Proof]) -> list[tuple[str, ...]]:
    """One row for each proof, with the cells of `COLUMNS`. Times are per step."""
    return [
        (
            proof.workload.name,
            *_cells(proof.outcomes["faulty"]),
            *_cells(proof.outcomes["fixed"]),
            f"{proof.speedup:.2f}x",
            "" if proof.predicted_ns is None else duration(proof.predicted_ns),
            ", ".join(proof.outcomes["control"].findings) or "no finding",
        )
        for proof in proofs
    ]


def _cells(outcome: Outcome) -> tuple[str, str, str]:
    return outcome.verdict_and_rank, duration(outcome.step_ns), duration(outcome.lost_ns)
