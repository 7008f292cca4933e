"""The answer for a terminal, plain through a pipe."""

from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from gapfinder.diagnosis.units import clean
from gapfinder.whatif.model import WhatIf
from gapfinder.whatif.words import rows, subject


def render(answer: WhatIf, *, width: int, color: bool) -> str:
    """The answer as text of at most `width` columns."""
    console = Console(file=StringIO(), width=width, force_terminal=color, no_color=not color, highlight=False)
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("Change", overflow="fold")
    for name in ("step", "less"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("what it means here", style="dim", overflow="fold")
    for row in rows(answer):
        table.add_row(*map(Text, row))
    with console.capture() as capture:
        console.print(Text(f"{clean(Path(answer.trace).name)}: {subject(answer)}", style="dim"))
        if answer.changes:
            console.print()
            console.print(table)
        if answer.note:
            console.print()
            console.print(Text(answer.note))
    return "\n".join(line.rstrip() for line in capture.get().splitlines()) + "\n"
