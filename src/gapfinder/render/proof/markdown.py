"""Proofs as a Markdown table."""

from gapfinder.workload.prove import Proof
from gapfinder.workload.words import COLUMNS, rows


def render(proofs: list[Proof], *, width: int, color: bool) -> str:  # noqa: ARG001  part of the protocol
    """The table, three rows for each proof."""
    lines = [COLUMNS, tuple("---" for _ in COLUMNS), *rows(proofs)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
