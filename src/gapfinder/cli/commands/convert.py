"""`gapfinder convert`."""

from pathlib import Path
from typing import Any

import click

import gapfinder
from gapfinder.cli.options import TRACE, trace_options
from gapfinder.cli.output import say_written
from gapfinder.cli.paths import NamedPath
from gapfinder.cli.progress import progress


@click.command()
@TRACE
@click.argument("target", type=NamedPath())
@click.option("--force", is_flag=True, help="Replace an existing target. A folder is replaced only if it is a conversion.")
@trace_options
def convert(path: Path, target: Path, force: bool, chosen: dict[str, Any]) -> None:  # noqa: FBT001  click's signature
    """Write TRACE and everything that gapfinder computes from it to a database or to Parquet files.

    TARGET is a DuckDB database if its name ends in .duckdb, and a folder of Parquet files if it has no extension. Every command
    of gapfinder reads TARGET as it reads the trace; the trace itself is no longer needed.
    """
    with progress() as update:
        gapfinder.convert(path, target, force=force, progress=update, **chosen)
    say_written(target)
