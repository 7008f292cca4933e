"""How commands write what a renderer made, and end where a gate failed."""

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import click

from gapfinder.errors import GateError, UsageError
from gapfinder.display import PLAIN_WIDTH

if TYPE_CHECKING:
    from collections.abc import Iterable

    import polars as pl

    from gapfinder.gates.gate import GateResult
    from gapfinder.render import RowsRenderer

WIDEST = 100
NEEDS_GATES = "junit"
SHOW_GATES = ("text", "markdown")  # formats that a person reads


def check_output(output: Path | None, *traces: Path) -> None:
    """Refuse to write where nothing can be, or over a trace. Raises UsageError."""
    if output is None:
        return
    if not output.parent.is_dir():
        raise UsageError(f"{output} cannot be written: there is no folder {output.parent}")
    if output.exists() and any(trace.exists() and output.samefile(trace) for trace in traces):
        raise UsageError(f"{output} is the trace itself: name another file with -o")


class Render(Protocol):
    """A renderer that holds what it is to show."""

    def __call__(self, *, width: int, color: bool) -> str:
        """The whole text."""


def check_gates(gates: tuple[str, ...], format_: str) -> None:
    """Refuse a format that shows nothing but gates where there are none. Raises UsageError."""
    if format_ == NEEDS_GATES and not gates:
        raise UsageError("junit is a report on gates: ask for at least one, as --fail-on 'lost>20%'")


def check_trace_gates(texts: tuple[str, ...], format_: str, config: Path | None) -> None:
    """Refuse what is no gate on one trace, with the causes that the config knows, before the trace is read.

    Raises UsageError where one is none, or the format shows nothing but gates.
    """
    from gapfinder.gates.expression import parse
    from gapfinder.pipeline.config import read_config

    check_gates(texts, format_)
    causes = read_config(config).causes
    for text in texts:
        parse(text, causes, changes=False)


def write(render: Render, output: Path | None) -> None:
    """Write to a file, or to standard output: as wide as the terminal, or plain where it is none."""
    columns = None if output else width()
    text = render(width=min(WIDEST, columns) if columns else PLAIN_WIDTH, color=columns is not None)
    if output:
        output.write_text(text)
    else:
        click.echo(text, nl=False)


def width() -> int | None:
    """Columns of the terminal; None where standard output is none."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def show(frame: "pl.DataFrame", renderer: "RowsRenderer") -> None:
    """Write rows to standard output: as wide as the terminal, or as it takes where there is none."""
    columns = width()
    click.echo(renderer.render(frame, width=columns, color=columns is not None), nl=False)


def save(frames: "Iterable[pl.DataFrame]", renderer: "RowsRenderer", file: Path) -> None:
    """Write the rows of one query after the other to a file."""
    file.write_bytes(b"".join(renderer.render(frame, width=None, color=False) for frame in frames))


def end(gates: "list[GateResult]", format_: str, output: Path | None) -> None:
    """Say of each gate what came of it, unless standard output has it. Raises GateError where one failed."""
    from gapfinder.gates.gate import line

    if output or format_ not in SHOW_GATES:
        for gate in gates:
            click.echo(line(gate), err=True)
    if failed := [gate for gate in gates if not gate.passed]:
        raise GateError(f"{len(failed)} of {len(gates)} gates failed")
