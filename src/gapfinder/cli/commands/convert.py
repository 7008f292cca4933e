"""`gapfinder convert`."""

from pathlib import Path
from typing import Any

import click

import gapfinder
from gapfinder.cli.options import TRACE, progress, trace_options


@click.command()
@TRACE
@click.argument("target", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Replace what is there; a folder only if it is an earlier conversion.")
@trace_options
def convert(path: Path, target: Path, force: bool, chosen: dict[str, Any]) -> None:  # noqa: FBT001  click's way
    """Keep TRACE with everything that was computed of it, for any other program.

    TARGET is a DuckDB database where its name ends in .duckdb, a folder of Parquet files where it has no ending. Every
    command of gapfinder reads either as it reads the trace, and needs that no more.
    """
    with progress() as tell:
        gapfinder.convert(path, target, force=force, progress=tell, **chosen)
