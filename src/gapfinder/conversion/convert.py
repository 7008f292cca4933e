"""Converts a trace. The conversion gets its final name when it is complete."""

import os
from collections.abc import Callable
from pathlib import Path

import duckdb

from gapfinder.conversion import database, folder
from gapfinder.errors import UsageError
from gapfinder.ingest.names import is_utf8
from gapfinder.ingest.nsys.converted import is_folder
from gapfinder.options import Options
from gapfinder.pipeline.config import Config
from gapfinder.system.scratch import scratch

DATABASE = ".duckdb"
NAMES = f"a name that ends in {DATABASE} makes a database, and a name without an extension a folder of Parquet files"


def convert(
    path: Path, target: Path, options: Options, config: Config, progress: Callable[[str], None], *, force: bool = False
) -> None:
    """Write the trace at `path` and all its relations to `target`: a database if its name ends in .duckdb, else a Parquet folder.

    An existing target is replaced only with `force`. Raises UsageError if the target cannot be written, and the errors of
    `pipeline.database.read`.
    """
    _check(path, target, force=force)
    with scratch(beside=target) as temporary:
        conversion = temporary / "conversion"
        try:
            (database if target.suffix == DATABASE else folder).write(conversion, path, options, config, progress)
        except (duckdb.IOException, duckdb.OutOfMemoryException, duckdb.TransactionException) as error:
            raise UsageError(f"{target} cannot be written: {str(error).splitlines()[0]}") from error
        if target.is_dir():
            target.rename(temporary / "replaced")
        conversion.replace(target)


def _check(path: Path, target: Path, *, force: bool) -> None:
    if not target.parent.is_dir():
        raise UsageError(f"{target} cannot be written: there is no folder {target.parent}")
    if not is_utf8(target):
        raise UsageError(f"{target} has a name that is not UTF-8, and DuckDB cannot write it: choose another name")
    if target.suffix not in {DATABASE, ""}:
        raise UsageError(f"{target} is neither a database nor a folder: {NAMES}")
    source, wanted = Path(os.path.realpath(path)), Path(os.path.realpath(target))  # accepts a circle of links
    if source.is_relative_to(wanted) or (source.is_dir() and wanted.is_relative_to(source)):
        raise UsageError(f"{target} is the trace itself, is in its folder, or contains it: choose another path")
    if not target.exists():
        return
    if path.exists() and target.samefile(path):
        raise UsageError(f"{target} is the trace itself: choose another path")
    if target.is_dir() == (target.suffix == DATABASE):
        raise UsageError(f"{target} is {'a folder' if target.is_dir() else 'a file'}: {NAMES}")
    if target.is_dir() and any(target.iterdir()) and not is_folder(target):
        raise UsageError(f"{target} is a folder that gapfinder convert did not make: choose another path")
    if not force and not (target.is_dir() and not any(target.iterdir())):
        raise UsageError(f"{target} exists already: give --force to replace it")
