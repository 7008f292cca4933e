"""The answer to a what-if as Markdown, for an issue or a pull request."""

from pathlib import Path

from gapfinder.render.markdown import escape, items, table
from gapfinder.units import clean
from gapfinder.whatif.whatif import WhatIf
from gapfinder.whatif.words import rows, subject


def render(answer: WhatIf, *, width: int, color: bool) -> str:  # noqa: ARG001  part of the protocol
    """The answer as Markdown."""
    lines = [f"**{escape(clean(Path(answer.trace).name))}**: {escape(subject(answer))}", ""]
    cells = ((escape(change), step, saved, escape(matched)) for change, step, saved, matched in rows(answer))
    if answer.changes:
        lines += table(("change", answer.unit, "less", "what it means here"), cells)
    if answer.note:
        lines += ["", escape(answer.note)]
    lines += items("The predictions may be wrong:", answer.damage)
    return "\n".join(lines).rstrip() + "\n"
