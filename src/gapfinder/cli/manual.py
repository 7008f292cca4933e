"""Generates the manual page: `python -m gapfinder.cli.manual` writes `cli/gapfinder.1` from the commands.

A wheel installs it, so that `man gapfinder` shows it. A test checks that it is up to date.
"""

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import click

from gapfinder.cli.main import gapfinder
from gapfinder.cli.reference import every_command, sentence, usage
from gapfinder.resources import __version__

FILE = Path(__file__).with_name("gapfinder.1")
END = """\
.SH EXIT STATUS
.TP
.B 0
Done.
.TP
.B 1
A gate failed.
.TP
.B 2
Wrong usage.
.TP
.B 3
The trace is unusable, or the output cannot be written. One line on standard error says why, and what to do.
.TP
.B 70
A defect of gapfinder.
.TP
.B 130
Interrupted.
.PP
.B gapfinder capture
ends with the exit status of the program that it ran.
.SH ENVIRONMENT
.TP
.B GAPFINDER_NSYS
The path of nsys. Without it, gapfinder takes the one in PATH, then one in the usual places.
.SH SEE ALSO
.B gapfinder guide
lists the guides, which are longer than this page.
"""


def manual() -> str:
    """The text of the manual page, in the man macros of troff."""
    context = click.Context(gapfinder, info_name="gapfinder", **gapfinder.context_settings)
    commands = list(every_command(gapfinder, context))
    lines = [
        f'.TH GAPFINDER 1 "" "gapfinder {__version__}"',
        ".SH NAME",
        r"gapfinder \- why does the GPU not compute?",
        ".SH SYNOPSIS",
        *(f".B {_text(each.command_path)}\n{_text(usage(each).removeprefix(each.command_path))}\n.br" for each in commands),
        ".SH DESCRIPTION",
        _text(sentence(gapfinder)),
        ".SH OPTIONS",
        *_options(context),
        ".SH COMMANDS",
    ]
    for each in commands:
        lines += [f".SS {_text(usage(each))}", *_paragraphs(each.command.help or ""), *_options(each)]
    return "\n".join(lines) + "\n" + END


def _paragraphs(help_: str) -> Iterator[str]:
    """The paragraphs of a help. Where click is told not to wrap one, each line stays a line."""
    for number, paragraph in enumerate(re.split(r"\n\s*\n", inspect.cleandoc(help_))):
        if number:
            yield ".PP"
        lines = paragraph.splitlines()
        if lines[0] == "\b":
            yield "\n.br\n".join(map(_text, lines[1:]))
        else:
            yield _text(" ".join(lines))


def _options(context: click.Context) -> Iterator[str]:
    options = (each for each in context.command.params if isinstance(each, click.Option))
    for option, meaning in (record for each in options if (record := each.get_help_record(context))):
        yield f".TP\n.B {_text(option)}\n{_text(' '.join(meaning.split()))}"


def _text(text: str) -> str:
    """Text as troff shows it: no escapes, no requests, - as it is typed, and what is not ASCII by its number."""
    escaped = text.strip().replace("\\", r"\e").replace("-", r"\-")
    escaped = re.sub(r"[^\0-\x7f]", lambda found: rf"\[u{ord(found[0]):04X}]", escaped)
    return rf"\&{escaped}" if escaped.startswith((".", "'")) else escaped


if __name__ == "__main__":
    FILE.write_text(manual(), encoding="utf-8")
