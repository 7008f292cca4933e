"""Proofs as a Markdown table, as the README shows it."""

from gapfinder.workload.prove import Proof
from gapfinder.workload.words import COLUMNS, rows


def render(proofs: list[Proof], *, width: int, color: bool) -> str:  # noqa: ARG001  the same for every renderer
    """The table."""
    lines = [COLUMNS, tuple("---" for _ in COLUMNS), *rows(proofs)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
