"""Shows what a query found: on standard output, or in a file."""

import shutil
import sys
from pathlib import Path

import click
import polars as pl

from gapfinder.render.rows import renderer


def show(frame: pl.DataFrame, format_: str) -> None:
    """On standard output: as wide as the terminal, or as it takes where there is none."""
    terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if terminal else None
    click.echo(renderer(format_).render(frame, width=width, color=terminal), nl=False)


def save(frames: list[pl.DataFrame], format_: str, file: Path) -> None:
    """In a file, one after another."""
    file.write_bytes(b"".join(renderer(format_).render(frame, width=None, color=False) for frame in frames))
