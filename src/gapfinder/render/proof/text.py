"""Proofs as a table for a terminal."""

from rich.table import Table

from gapfinder.render.terminal import shown
from gapfinder.workload.prove import Proof
from gapfinder.workload.words import COLUMNS, rows

WIDTH = 160  # wide enough for the longest names of causes, whatever the terminal
NUMBERS = ("step", "lost", "faster", "predicted")


def render(proofs: list[Proof], *, width: int, color: bool) -> str:  # noqa: ARG001  the same for every renderer
    """The table."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    for name in COLUMNS:
        table.add_column(name, no_wrap=True, justify="right" if name in NUMBERS else "left")
    for row in rows(proofs):
        table.add_row(*row)
    return shown([table], width=WIDTH, color=color)
