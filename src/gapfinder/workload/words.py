"""Proofs as rows of a table: a fault before and after its fix."""

from gapfinder.units import duration
from gapfinder.workload.outcome import Outcome
from gapfinder.workload.prove import Proof

COLUMNS = ("workload", "verdict", "step", "lost", "after the fix", "step", "lost", "faster", "predicted", "control")


def rows(proofs: list[Proof]) -> list[tuple[str, ...]]:
    """A row of `COLUMNS` for each proof; times are per step."""
    return [
        (
            proof.workload.name,
            *_cells(proof.outcomes["faulty"]),
            *_cells(proof.outcomes["fixed"]),
            f"{proof.faster:.2f}x",
            "" if proof.predicted_ns is None else duration(proof.predicted_ns),
            ", ".join(proof.outcomes["control"].findings) or "no finding",
        )
        for proof in proofs
    ]


def _cells(outcome: Outcome) -> tuple[str, str, str]:
    return outcome.named, duration(outcome.step_ns), duration(outcome.lost_ns)
