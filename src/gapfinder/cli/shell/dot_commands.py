"""The commands of the shell that start with a dot."""

import shutil
from dataclasses import dataclass

import click

from gapfinder.errors import UsageError
from gapfinder.pipeline.catalogue import RelationDoc, documentation_of
from gapfinder.render import formats, rows_renderer
from gapfinder.render.catalogue import text

HELP = """\
SELECT …;         run a statement; it may have several lines, and ends with a semicolon
.views [WORD]     list the views whose name contains the word, and what one row of each is
.describe VIEW    show the columns of a view, with their types and meanings
.format NAME      choose the format of results: {formats}
.help             show this text
.quit             leave the shell, as Ctrl-D does
Tab completes views, columns and SQL; the arrow keys go through earlier statements.
"""


@dataclass
class State:
    """The state of the shell that dot commands read and change."""

    format_: str
    relations: dict[str, RelationDoc]
    ended: bool = False


def run(line: str, state: State) -> None:
    """Run a line that starts with a dot. Raises UsageError if it is not a command."""
    match line.rstrip("; ").split():
        case [".views"]:
            _echo(text.relation_list(state.relations.values(), width=_width()))
        case [".views", word]:
            _echo(
                text.relation_list([relation for relation in state.relations.values() if word in relation.name], width=_width())
            )
        case [".describe", name]:
            _echo(text.relation_page(documentation_of(name, state.relations), width=_width()))
        case [".format", name] if name in _formats():
            state.format_ = name
        case [".help"]:
            _echo(HELP.format(formats=", ".join(_formats())))
        case [".quit" | ".exit"]:
            state.ended = True
        case _:
            raise UsageError(f"{line} is not a command of this shell: .help lists them")


def _formats() -> list[str]:
    return [name for name in formats("rows") if rows_renderer("rows", name).TEXT]


def _width() -> int:
    return shutil.get_terminal_size().columns


def _echo(output: str) -> None:
    click.echo(output, nl=False)
