"""What the shell understands besides SQL."""

import shutil
from dataclasses import dataclass

import click

from gapfinder.errors import UsageError
from gapfinder.pipeline.catalogue import RelationDoc, documentation_of
from gapfinder.render import formats, rows_renderer
from gapfinder.render.catalogue import text

HELP = """\
SELECT …;         a statement, of as many lines as it takes, ends with a semicolon
.views [WORD]     the views whose names hold the word, and what a row of each is
.describe VIEW    the columns of a view, their types and meanings
.format NAME      how results are shown: {formats}
.help             this
.quit             the end, as Ctrl-D
Tab completes views, columns and SQL; the arrow keys go through what was asked before.
"""


@dataclass
class State:
    """What dot commands know and change."""

    format_: str
    relations: dict[str, RelationDoc]
    ended: bool = False


def obey(line: str, state: State) -> None:
    """Do what a line that starts with a dot says. Raises UsageError."""
    match line.rstrip("; ").split():
        case [".views"]:
            _echo(text.list_of(state.relations.values(), width=_width()))
        case [".views", word]:
            _echo(text.list_of([found for found in state.relations.values() if word in found.name], width=_width()))
        case [".describe", name]:
            _echo(text.page_of(documentation_of(name, state.relations), width=_width()))
        case [".format", name] if name in _formats():
            state.format_ = name
        case [".help"]:
            _echo(HELP.format(formats=", ".join(_formats())))
        case [".quit" | ".exit"]:
            state.ended = True
        case _:
            raise UsageError(f"{line} is no command here: .help lists them")


def _formats() -> list[str]:
    return [name for name in formats("rows") if rows_renderer("rows", name).TEXT]


def _width() -> int:
    return shutil.get_terminal_size().columns


def _echo(shown: str) -> None:
    click.echo(shown, nl=False)
