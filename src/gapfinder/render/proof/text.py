"""Proofs as a table for a terminal."""

from rich.table import Table

from gapfinder.render.terminal import to_text
from gapfinder.workload.prove import Proof
from gapfinder.workload.words import COLUMNS, rows

NAMES = ("workload", "program", "verdict")


def render(proofs: list[Proof], *, width: int, color: bool) -> str:
    """The table, three rows for each proof."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    for name in COLUMNS:
        table.add_column(name, no_wrap=name != "verdict", justify="left" if name in NAMES else "right")
    for row in rows(proofs):
        table.add_row(*row)
    return to_text([table], width=width, color=color)
