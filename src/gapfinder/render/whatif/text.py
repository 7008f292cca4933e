"""The answer to a what-if for a terminal; plain text in a pipe."""

from collections.abc import Iterator
from pathlib import Path

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from gapfinder.render.terminal import as_html, items, to_text
from gapfinder.units import clean
from gapfinder.whatif.whatif import WhatIf
from gapfinder.whatif.words import rows, subject


def render(answer: WhatIf, *, width: int, color: bool) -> str:
    """The answer as text of at most `width` columns."""
    return to_text(_parts(answer), width=width, color=color)


def html(answer: WhatIf) -> str:
    """The answer as HTML for a notebook."""
    return as_html(_parts(answer))


def _parts(answer: WhatIf) -> Iterator[RenderableType]:
    yield Text(f"{clean(Path(answer.trace).name)}: {subject(answer)}", style="dim")
    if answer.changes:
        yield ""
        yield _table(answer)
    if answer.note:
        yield ""
        yield Text(answer.note)
    yield from items("The predictions may be wrong", answer.damage)


def _table(answer: WhatIf) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("Change", overflow="fold")
    for name in (answer.unit, "less"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("what it means here", style="dim", overflow="fold")
    for row in rows(answer):
        table.add_row(*map(Text, row))
    return table
