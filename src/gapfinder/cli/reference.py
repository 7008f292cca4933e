"""Pages in Markdown that are written from the program: the reference of the commands, and the table of the cookbook.

`python -m gapfinder.cli.reference` writes the reference beside the commands, and prints the table; tests compare both with what
is there.
"""

import inspect
from collections.abc import Iterator
from pathlib import Path

import click

from gapfinder.cli import commands
from gapfinder.cli.main import gapfinder
from gapfinder.resources import folder

PLACE = Path(commands.__path__[0]) / "README.md"


def reference() -> str:
    """The whole text."""
    context = click.Context(gapfinder, info_name="gapfinder", **gapfinder.context_settings)
    found = list(_commands(gapfinder, context))
    lines = [
        "# Commands",
        "",
        "Written by `python -m gapfinder.cli.reference` from the commands themselves. `-h` or `--help` after one shows its part;",
        "`gapfinder --version` prints the version.",
        "",
        *(f"- [`{each.command_path}`](#{each.command_path.replace(' ', '-')}): {_sentence(each.command)}" for each in found),
    ]
    for each in found:
        lines += ["", f"## {each.command_path}", "", f"`{_usage(each)}`", "", *_parts(each)]
    return "\n".join(lines) + "\n"


def _commands(group: click.Group, context: click.Context) -> Iterator[click.Context]:
    """All commands that do something themselves, in order, each with its groups before it."""
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command and not command.hidden:
            inner = click.Context(command, info_name=name, parent=context)
            if isinstance(command, click.Group):
                yield from _commands(command, inner)
            else:
                yield inner


def _sentence(command: click.Command) -> str:
    return inspect.cleandoc(command.help or "").partition("\n\n")[0].replace("\n", " ")


def _usage(context: click.Context) -> str:
    return " ".join([context.command_path, *context.command.collect_usage_pieces(context)])


def _parts(context: click.Context) -> Iterator[str]:
    yield inspect.cleandoc(context.command.help or "")
    options = (each for each in context.command.params if isinstance(each, click.Option))
    if rows := [found for each in options if (found := each.get_help_record(context))]:
        yield from ("", "| option | meaning |", "| --- | --- |")
        yield from (f"| `{_cell(option)}` | {_cell(meaning)} |" for option, meaning in rows)


def _cell(text: str) -> str:
    """Text in a cell of a table; a backslash keeps a bar from ending it, in code too."""
    return " ".join(text.split()).replace("|", "\\|")


def questions() -> dict[Path, str]:
    """The question that each file of `sql/cookbook` answers: its first line."""
    files = sorted((folder("sql") / "cookbook").glob("*.sql"))
    return {file: file.read_text().partition("\n")[0].removeprefix("-- ") for file in files}


def cookbook() -> str:
    """The questions as a table with links, as `sql/cookbook/README.md` shows it."""
    rows = [f"| {question} | [{file.name}]({file.name}) |" for file, question in questions().items()]
    return "\n".join(["| question | query |", "| --- | --- |", *rows])


if __name__ == "__main__":
    print(cookbook())  # noqa: T201
    PLACE.write_text(reference())
