"""Proofs as a table for a terminal."""

from rich.table import Table

from gapfinder.render.terminal import to_text
from gapfinder.workload.prove import Proof
from gapfinder.workload.words import COLUMNS, rows

WIDTH = 160  # enough for the longest names of causes; the width of the terminal is ignored
NUMBERS = ("step", "lost", "faster", "predicted")


def render(proofs: list[Proof], *, width: int, color: bool) -> str:  # noqa: ARG001  part of the protocol
    """The table, one row for each proof."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    for name in COLUMNS:
        table.add_column(name, no_wrap=True, justify="right" if name in NUMBERS else "left")
    for row in rows(proofs):
        table.add_row(*row)
    return to_text([table], width=WIDTH, color=color)
