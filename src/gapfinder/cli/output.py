"""Writes the output of a renderer, and reports gates."""

import os
import shlex
import shutil
import sys
from io import BytesIO
from itertools import chain, islice
from pathlib import Path
from textwrap import wrap
from time import perf_counter_ns
from typing import TYPE_CHECKING, Protocol

import click

from gapfinder.display import MAX_WIDTH, PLAIN_WIDTH
from gapfinder.errors import GateError, UsageError
from gapfinder.system.writing import check_target, written
from gapfinder.units import clean_text, count, duration, size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import polars as pl

    from gapfinder.gates.gate import GateResult
    from gapfinder.render import RowsRenderer
    from gapfinder.trace import OpenTrace

GATES_ONLY = "junit"  # a format that shows only gates
READABLE = ("text", "markdown")  # formats for people, which show gates too


def check_output(output: Path | None, *read: Path, config: Path | None = None) -> None:
    """Raise UsageError if the output cannot be written, or is what is read: these paths, and the config with its causes.

    Nor may it be another trace, which nobody means to replace by a text.
    """
    if output is None:
        return
    from gapfinder.ingest.nsys.trace import is_recording
    from gapfinder.pipeline.config import files_of

    check_target(output, [*read, *files_of(config)])
    if output.is_file() and is_recording(output):
        raise UsageError(f"{output} is a trace or a database, and would be lost: choose another path, or remove it")


def say_written(*files: Path) -> None:
    """Say on standard error what was written, with its size."""
    for file in files:
        parts = [part for part in (file.rglob("*") if file.is_dir() else [file]) if part.is_file()]
        click.echo(f"gapfinder: wrote {clean_text(str(file))} ({size(sum(part.stat().st_size for part in parts))})", err=True)


def say_damage(trace: "OpenTrace") -> None:
    """Say on standard error that a trace is damaged, as gates do, for what shows no notes."""
    from gapfinder.diagnosis.damage import Damage

    if Damage.of(trace).sentences:
        file = clean_text(str(trace.path))
        click.echo(f"gapfinder: {file} is damaged, or its verdict rests on few rows: gapfinder diagnose says how", err=True)


class Render(Protocol):
    """A renderer with its result already bound."""

    def __call__(self, *, width: int, color: bool) -> str:
        """The whole text."""


def check_gates_format(gates: tuple[str, ...], format_: str) -> None:
    """Raise UsageError if the format shows only gates and there are none."""
    if format_ == GATES_ONLY and not gates:
        raise UsageError("the format junit shows only gates: give at least one, for example --fail-on 'lost>20%'")


def check_trace_gates(texts: tuple[str, ...], format_: str, config: Path | None) -> None:
    """Check the gates of one trace before it is read, with the causes of the config.

    Raises UsageError if a text is not a gate, or as `check_gates_format`.
    """
    from gapfinder.gates.expression import parse
    from gapfinder.pipeline.config import read_config

    check_gates_format(texts, format_)
    causes = read_config(config).causes
    for text in texts:
        parse(text, causes, changes=False)


def write(render: Render, output: Path | None) -> None:
    """Write to a file or to standard output. In a terminal the text has its width and colours."""
    columns = None if output else width()
    emit(render(width=min(MAX_WIDTH, columns) if columns else PLAIN_WIDTH, color=columns is not None), output)


def wrapped(line: str, *, indent: int = 0) -> str:
    """A line of words as the terminal shows it, or a text of `PLAIN_WIDTH`; all but its first line are indented."""
    columns = min(MAX_WIDTH, width() or PLAIN_WIDTH)
    if len(line) <= columns:
        return line
    return "\n".join(wrap(line, columns, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False))


def page(text: str) -> None:
    """Write to standard output; in a terminal through $PAGER where the text is longer than the screen."""
    fits = text.count("\n") < shutil.get_terminal_size().lines
    if width() is None or fits or not sys.stdin.isatty() or not _is_pager(os.environ.get("PAGER", "")):
        click.echo(text, nl=False)
        return
    os.environ.setdefault("LESS", "FRX")  # as git does: colours, and what was read stays on the screen
    click.echo_via_pager(text.removesuffix("\n"), color=True)  # which adds it


def _is_pager(command: str) -> bool:
    """Whether the words of a command can be told apart."""
    try:
        shlex.split(command)
    except ValueError:
        return False
    return True


def emit(text: str, output: Path | None) -> None:
    """Write a text to a file, or to standard output as `page` does."""
    if output is None:
        page(text)
        return
    with written(output) as file:
        file.write_text(text, encoding="utf-8")


def width() -> int | None:
    """The columns of the terminal; None if standard output is not a terminal."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def format_of_rows(format_: str, *, vertical: bool) -> str:
    """The format of rows, where `vertical` is -x. Raises UsageError if another format was asked for, too."""
    if vertical and format_ not in {"table", "vertical"}:
        raise UsageError(f"-x shows rows as text, and the format is {format_}: keep one")
    return "vertical" if vertical else format_


def renderer_of_rows(kind: str, format_: str, output: Path | None) -> "RowsRenderer":
    """The renderer for rows or gaps. Raises UsageError for a format that is no text, if there is no file to write it to."""
    from gapfinder.render import rows_renderer

    renderer = rows_renderer(kind, format_)
    if not renderer.TEXT and output is None:
        raise UsageError(f"{format_} is not a text format: name a file with -o")
    return renderer


def show(
    frames: "Iterable[pl.DataFrame]", renderer: "RowsRenderer", *, took: "Callable[[], str] | None" = None, more: str = ""
) -> None:
    """Write rows to standard output, and `more` below. In a terminal their width is limited, and `took` follows their number."""
    from gapfinder.render.rows.table import is_plan

    columns = width()
    parts = _Parts(frames)
    if columns is None or (renderer.WHOLE and parts.are_several()):
        renderer.write(parts, sys.stdout.buffer, width=columns, color=False)
        click.echo(more, nl=False)
        return
    shown = BytesIO()
    renderer.write(parts, shown, width=columns, color=True)
    counted = renderer.COUNTED and not is_plan(parts.first)
    told = click.style(f"{count(parts.rows, 'row')}{took() if took else ''}", dim=True) + "\n" if counted else ""
    page(shown.getvalue().decode() + told + more)


class _Parts:
    """The parts of a result, with the number of rows that were taken from them. `first` is the first one."""

    def __init__(self, frames: "Iterable[pl.DataFrame]") -> None:
        self._rest = iter(frames)
        self.first = next(self._rest)
        self._ahead = [self.first]
        self.rows = 0

    def are_several(self) -> bool:
        """Whether there is more than one part. It is read for that."""
        self._ahead += [*islice(self._rest, 2 - len(self._ahead))]
        return len(self._ahead) > 1

    def __iter__(self) -> "Iterator[pl.DataFrame]":
        for frame in chain(self._ahead, self._rest):
            self.rows += frame.height
            yield frame


def answer(query: "Callable[[], Iterable[pl.DataFrame]]", renderer: "RowsRenderer", *, timed: bool = True) -> None:
    """Show the rows of a query, and, if `timed`, how long it took."""
    begin_ns = perf_counter_ns()
    show(query(), renderer, took=lambda: f" in {duration(perf_counter_ns() - begin_ns)}" if timed else "")


def save(results: "Iterable[Iterable[pl.DataFrame]]", renderer: "RowsRenderer", file: Path) -> None:
    """Write the rows of several queries to one file."""
    with written(file) as new, new.open("wb") as out:
        for frames in results:
            renderer.write(frames, out, width=None, color=False)


def report_gates(gates: "list[GateResult]", format_: str, output: Path | None) -> None:
    """Print the result of each gate, unless standard output has it already. Raises GateError if one failed."""
    from gapfinder.gates.gate import line

    if output or format_ not in READABLE:
        for gate in gates:
            click.echo(line(gate), err=True)
    if failed := [gate for gate in gates if not gate.passed]:
        raise GateError(f"{len(failed)} of {count(len(gates), 'gate')} failed")
