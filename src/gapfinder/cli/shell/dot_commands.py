"""The commands of the shell. They start with a dot, as in DuckDB's; those of psql and plain words stand for the same."""

import shutil
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click

from gapfinder.cli.output import answer, check_output, page, wrapped
from gapfinder.errors import UsageError, did_you_mean
from gapfinder.pipeline.catalogue import RelationDoc, documentation_of
from gapfinder.query import cookbook
from gapfinder.query.database import Database
from gapfinder.query.statements import split
from gapfinder.render import formats, rows_renderer
from gapfinder.render.catalogue import text
from gapfinder.render.glossary import text as questions_text
from gapfinder.system.writing import telling
from gapfinder.trace import OpenTrace

HELP = """\
SELECT …;         run a statement; it may have several lines, and ends with a semicolon
.views [WORD]     list the views whose name contains the word, and what one row of each is (\\d)
.describe VIEW    show the columns of a view, with their types and meanings (\\d VIEW)
.cookbook [NAME]  list the ready queries with the questions that they answer, or show one and run it
.mode [NAME]      show or choose the format of results: {formats} (\\x: vertical and back)
.output [FILE]    write results to this file; without FILE, show them here again (\\o)
.timer on|off     say below a result how long it took, or do not (\\timing)
.help             show this text (help, \\?)
.quit             leave the shell, as Ctrl-D does (exit, quit, \\q)
Tab               complete views, columns, causes, functions and SQL
up, down          go through earlier statements
Ctrl-X Ctrl-E     open the statement in $EDITOR, and then run it
"""
HELP_INDENT = 18
COMMANDS = (".views", ".describe", ".cookbook", ".mode", ".output", ".timer", ".help", ".quit")
SAME = {
    "help": ".help", "\\?": ".help", "\\h": ".help", "exit": ".quit", "quit": ".quit", "\\q": ".quit", ".exit": ".quit",
    ".tables": ".views", "\\dt": ".views", "\\dv": ".views", ".schema": ".describe", ".format": ".mode", "\\o": ".output",
    "\\x": ".mode", "\\timing": ".timer",
}  # fmt: skip
SWITCH = {"on": True, "off": False}


@dataclass
class State:
    """What the commands of the shell change. `output` is the file that results go to."""

    database: Database
    relations: dict[str, RelationDoc]
    format_: str
    timed: bool = True
    output: Path | None = None
    ended: bool = False


def is_command(line: str) -> bool:
    """Whether a line is a command of the shell, and no SQL."""
    first = line.strip().rstrip(";").partition(" ")[0]
    return first.startswith((".", "\\")) or line.strip().rstrip("; ").lower() in SAME


def run_statements(sql: str, state: State) -> None:
    """Run statements, and show what they give, or append it to the file that was chosen. Raises UsageError."""
    renderer = rows_renderer("rows", state.format_)
    for statement in split(sql):
        query = partial(state.database.sql_parts, statement)
        if state.output is None:
            answer(query, renderer, timed=state.timed)
            continue
        with telling(state.output), state.output.open("ab") as file:
            renderer.write(query(), file, width=None, color=False)


def run(line: str, state: State) -> None:  # noqa: C901, PLR0912  a case for each command
    """Run a line that is a command. Raises UsageError if it is none of this shell."""
    given, *arguments = line.strip().rstrip("; ").split(maxsplit=1)
    match [_named(given, arguments, state), *arguments]:
        case [".views", *words]:
            word = words[0] if words else ""
            page(text.relation_list([each for each in state.relations.values() if word in each.name], width=_width()))
        case [".describe", name]:
            page(text.relation_page(documentation_of(name, state.relations), width=_width()))
        case [".cookbook"]:
            page(questions_text.render(cookbook.questions(), width=_width(), color=True))
        case [".cookbook", name]:
            sql = cookbook.query(name)
            click.echo(sql)
            run_statements(sql, state)
        case [".mode"]:
            page(f"{state.format_}; there is {', '.join(text_formats())}\n")
        case [".mode", name] if name in text_formats():
            state.format_ = name
        case [".mode", name]:
            raise UsageError(f"there is no format {name!r} to show{did_you_mean(name, text_formats())}; .help lists them")
        case [".output"]:
            state.output = None
        case [".output", name]:
            file = Path(name).expanduser()
            read = state.database.config.files if isinstance(state.database, OpenTrace) else ()
            check_output(file, state.database.path, *read)
            with telling(file):
                file.write_bytes(b"")
            state.output = file
        case [".timer", ("on" | "off") as switch]:
            state.timed = SWITCH[switch]
        case [".help"]:
            page(_help())
        case [".quit"]:
            state.ended = True
        case [name, *_] if name in COMMANDS:
            raise UsageError(f"{line} is not complete, or has too much: .help says what belongs to {name}")
        case _:
            raise UsageError(f"{given} is not a command of this shell{did_you_mean(given, COMMANDS)}: .help lists them")


def _help() -> str:
    lines = HELP.format(formats=", ".join(text_formats())).splitlines()
    return "".join(f"{wrapped(line, indent=HELP_INDENT)}\n" for line in lines)


def _named(given: str, arguments: list[str], state: State) -> str:
    """The command that this shell calls so. What psql switches with one word gets its argument."""
    match given.lower():
        case "\\d":
            return ".describe" if arguments else ".views"
        case "\\x" if not arguments:
            arguments.append("table" if state.format_ == "vertical" else "vertical")
        case "\\timing" | ".timer" if not arguments:
            arguments.append("off" if state.timed else "on")
    return SAME.get(given.lower(), given.lower())


def text_formats() -> list[str]:
    """The formats that a terminal can show."""
    return [name for name in formats("rows") if rows_renderer("rows", name).TEXT]


def _width() -> int:
    return shutil.get_terminal_size().columns
