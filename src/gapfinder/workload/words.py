"""Proofs as rows of a table: the fault, its fix, and the control."""

from gapfinder.units import duration
from gapfinder.workload.prove import Proof

COLUMNS = ("workload", "program", "verdict", "step", "predicted", "lost", "faster")


def rows(proofs: list[Proof]) -> list[tuple[str, ...]]:
    """Three rows for each proof, with the cells of `COLUMNS`. Times are per step; the prediction is of the fixed program."""
    found: list[tuple[str, ...]] = []
    for proof in proofs:
        predicted = "" if proof.predicted_ns is None else duration(proof.predicted_ns)
        more = {"fixed": (predicted, f"{proof.speedup:.2f}x")}
        for place, (program, outcome) in enumerate(proof.outcomes.items()):
            name = "" if place else proof.workload.name
            findings = ", ".join(outcome.findings) or "no finding"
            verdict = findings if program == "control" else outcome.verdict_and_rank
            shown, faster = more.get(program, ("", ""))
            found.append((name, program, verdict, duration(outcome.step_ns), shown, duration(outcome.lost_ns), faster))
    return found
