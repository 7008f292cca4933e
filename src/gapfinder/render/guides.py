"""Guides for a terminal."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import CodeBlock, Markdown, TableElement
from rich.table import Table
from rich.text import Text

from gapfinder.display import MAX_WIDTH, PLAIN_WIDTH
from gapfinder.guides import Guide, with_links
from gapfinder.render.terminal import to_text

# Files of the repository that a command prints, too.
COMMANDS = {
    "GLOSSARY.md": "gapfinder views glossary",
    "sql/README.md": "gapfinder views",
    "views.md": "gapfinder views --fleet",
}


class _Output(CodeBlock):
    """A block of code without a frame, so that the 80 columns of an output fit into 80."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(str(self.text).rstrip(), style="cyan")


class _Table(TableElement):
    """A table that breaks long words; rich would cut them."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for table in super().__rich_console__(console, options):
            if isinstance(table, Table):
                for column in table.columns:
                    column.overflow = "fold"
            yield table


class _Guide(Markdown):
    elements: ClassVar = {**Markdown.elements, "fence": _Output, "code_block": _Output, "table_open": _Table}


def shown(guide: Guide, columns: int) -> str:
    """The guide in at most so many columns, with colours."""
    text = with_links(guide.text, _as_command)
    return to_text([_Guide(text, hyperlinks=False)], width=min(columns, MAX_WIDTH), color=True)


def _as_command(words: str, path: Path) -> str:
    """The words of a link with the command that shows where it leads, where there is one."""
    if path.parent == Path():
        return f"{words} (`gapfinder guide {path.stem}`)"
    command = next((command for file, command in COMMANDS.items() if path.match(file)), None)
    return f"{words} (`{command}`)" if command else words


def topics(guides: Sequence[Guide], columns: int | None) -> str:
    """Each topic with its question; `columns` is None where there is no terminal."""
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column()
    for guide in guides:
        table.add_row(Text(guide.topic, style="bold"), guide.question)
    last = Text("\ngapfinder guide TOPIC shows one.")
    return to_text([table, last], width=min(columns or PLAIN_WIDTH, MAX_WIDTH), color=columns is not None)
