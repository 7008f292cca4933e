"""Proofs as a table: a fault before and after its fix."""

from rich.table import Table

from gapfinder.render.terminal import shown
from gapfinder.units import duration
from gapfinder.workload.outcome import Outcome
from gapfinder.workload.prove import Proof

COLUMNS = ("workload", "verdict", "step", "lost", "after the fix", "step", "lost", "faster", "predicted", "control")

WIDTH = 160  # wide enough for the longest names of causes


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


def markdown(proofs: list[Proof]) -> str:
    """The table as Markdown."""
    lines = [COLUMNS, tuple("---" for _ in COLUMNS), *rows(proofs)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def text(proofs: list[Proof], *, color: bool) -> str:
    """The table for a terminal."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    for name in COLUMNS:
        table.add_column(name, no_wrap=True, justify="right" if name in ("step", "lost", "faster", "predicted") else "left")
    for row in rows(proofs):
        table.add_row(*row)
    return shown([table], width=WIDTH, color=color)


def _cells(outcome: Outcome) -> tuple[str, str, str]:
    return outcome.named, duration(outcome.step_ns), duration(outcome.lost_ns)
