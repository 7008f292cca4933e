"""What the text renderers share: a console of a given width, tables without lines, and items."""

from collections.abc import Iterable
from io import StringIO

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text


def shown(parts: Iterable[RenderableType], *, width: int, color: bool) -> str:
    """The parts as text of at most `width` columns, with colours where they are wanted."""
    console = Console(file=StringIO(), width=width, force_terminal=color, no_color=not color, highlight=False)
    with console.capture() as capture:
        for part in parts:
            console.print(part)
    return "\n".join(line.rstrip() for line in capture.get().splitlines()) + "\n"


def table(title: str, *columns: tuple[str, str]) -> Table:
    """A table whose first column is headed by `title`; the others have a name and a side, left or right."""
    found = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    found.add_column(title, no_wrap=True, overflow="ellipsis", max_width=44)
    for name, side in columns:
        found.add_column(name, justify="right" if side == "right" else "left", no_wrap=True, style="dim" if not name else "")
    return found


def item(text: str, *, mark: str = "- ", style: str = "") -> Table:
    """One item of a list, its lines below each other."""
    found = Table(box=None, show_header=False, padding=(0, 0), pad_edge=False)
    found.add_column(width=2 + len(mark))
    found.add_column(overflow="fold")
    found.add_row(" " * 2 + mark, Text(text, style=style))
    return found
