"""Generates documentation in Markdown: the reference of the commands, and the table of the cookbook.

`python -m gapfinder.cli.reference` writes the reference to `cli/commands/README.md` and the table to `sql/cookbook/README.md`.
Tests check that both are up to date.
"""

import inspect
from collections.abc import Iterator
from pathlib import Path

import click

from gapfinder.cli import commands
from gapfinder.cli.main import gapfinder
from gapfinder.guides import with_generated
from gapfinder.query.cookbook import questions
from gapfinder.resources import folder

FILE = Path(commands.__path__[0]) / "README.md"


def reference() -> str:
    """The text of the reference."""
    context = click.Context(gapfinder, info_name="gapfinder", **gapfinder.context_settings)
    commands_ = list(every_command(gapfinder, context))
    lines = [
        "# Commands",
        "",
        "`python -m gapfinder.cli.reference` writes this page from the commands. `gapfinder COMMAND --help` prints one part;",
        "`gapfinder --version` prints the version.",
        "",
        *(f"- [`{each.command_path}`](#{each.command_path.replace(' ', '-')}): {sentence(each.command)}" for each in commands_),
    ]
    for each in commands_:
        lines += ["", f"## {each.command_path}", "", f"`{usage(each)}`", "", *_parts(each)]
    return "\n".join(lines) + "\n"


def every_command(group: click.Group, context: click.Context) -> Iterator[click.Context]:
    """The context of every command that is not a group, in order."""
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command and not command.hidden:
            inner = click.Context(command, info_name=name, parent=context)
            if isinstance(command, click.Group):
                yield from every_command(command, inner)
            else:
                yield inner


def sentence(command: click.Command) -> str:
    """The first sentence of a command's help."""
    return inspect.cleandoc(command.help or "").partition("\n\n")[0].replace("\n", " ")


def usage(context: click.Context) -> str:
    """How a command is called."""
    return " ".join([context.command_path, *context.command.collect_usage_pieces(context)])


def _parts(context: click.Context) -> Iterator[str]:
    yield inspect.cleandoc(context.command.help or "")
    options = (each for each in context.command.params if isinstance(each, click.Option))
    if rows := [record for each in options if (record := each.get_help_record(context))]:
        yield from ("", "| option | meaning |", "| --- | --- |")
        yield from (f"| `{_cell(option)}` | {_cell(meaning)} |" for option, meaning in rows)


def _cell(text: str) -> str:
    """The text of a cell in a table, with a backslash before each bar."""
    return " ".join(text.split()).replace("|", "\\|")


def cookbook() -> str:
    """The questions as a table with links, for `sql/cookbook/README.md`."""
    rows = [f"| {question} | [{name}]({name}.sql) |\n" for name, question in questions().items()]
    return "".join(["| question | query |\n", "| --- | --- |\n", *rows])


if __name__ == "__main__":
    FILE.write_text(reference())
    page = folder("sql") / "cookbook" / "README.md"
    page.write_text(with_generated(page.read_text(encoding="utf-8"), "gapfinder.cli.reference", cookbook()))
