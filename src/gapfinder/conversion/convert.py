"""Converts a trace. The conversion gets its final name when it is complete."""

from collections.abc import Callable
from pathlib import Path

import duckdb
from polars.exceptions import ComputeError  # what it raises where a disk is full

from gapfinder.conversion import database, folder
from gapfinder.errors import OutputError, UsageError, first_line
from gapfinder.ingest.nsys.converted import is_folder
from gapfinder.options import Options
from gapfinder.pipeline.config import Config
from gapfinder.system.writing import check_free, check_name, written

DATABASE = ".duckdb"
NAMES = f"a name that ends in {DATABASE} makes a database, and a name without an extension a folder of Parquet files"


def convert(
    path: Path, target: Path, options: Options, config: Config, progress: Callable[[str], None], *, force: bool = False
) -> None:
    """Write the trace at `path` and all its relations to `target`: a database if its name ends in .duckdb, else a Parquet folder.

    An existing target is replaced only with `force`. Raises UsageError or OutputError if the target cannot be written, and the
    errors of `pipeline.database.read`.
    """
    _check(target, force=force)
    with written(target) as conversion:
        try:
            (database if target.suffix == DATABASE else folder).write(conversion, path, options, config, progress)
        except (duckdb.IOException, duckdb.OutOfMemoryException, duckdb.TransactionException, ComputeError) as error:
            raise OutputError(f"{target} cannot be written: {first_line(error)}") from error


def _check(target: Path, *, force: bool) -> None:
    check_name(target)
    if target.suffix not in {DATABASE, ""}:
        raise UsageError(f"{target} is neither a database nor a folder: {NAMES}")
    if not target.exists():
        return
    if target.is_dir() == (target.suffix == DATABASE):
        raise UsageError(f"{target} is {'a folder' if target.is_dir() else 'a file'}: {NAMES}")
    if target.is_dir() and any(target.iterdir()) and not is_folder(target):
        raise UsageError(f"{target} is a folder that gapfinder convert did not make: choose another path")
    check_free(target, force=force or (target.is_dir() and not any(target.iterdir())))
