"""Converts a trace: into a temporary name beside the target, which it gets when all is written."""

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
NAMES = f"a name in {DATABASE} makes a database, one without an ending a folder of Parquet files"


def convert(
    path: Path, target: Path, options: Options, config: Config, progress: Callable[[str], None], *, force: bool = False
) -> None:
    """Write the trace at `path` and its layers to `target`: a .duckdb database, or without an ending a Parquet folder.

    What is there is replaced with `force` alone. Raises UsageError where the target cannot be, else as `analyse`.
    """
    _check(path, target, force=force)
    with scratch(beside=target) as beside:
        made = beside / "made"
        try:
            (database if target.suffix == DATABASE else folder).write(made, path, options, config, progress)
        except (duckdb.IOException, duckdb.OutOfMemoryException, duckdb.TransactionException) as error:
            raise UsageError(f"{target} cannot be written: {str(error).splitlines()[0]}") from error
        if target.is_dir():
            target.rename(beside / "before")
        made.replace(target)


def _check(path: Path, target: Path, *, force: bool) -> None:
    if not target.parent.is_dir():
        raise UsageError(f"{target} cannot be written: there is no folder {target.parent}")
    if not is_utf8(target):
        raise UsageError(f"{target} is no UTF-8, and DuckDB writes to no such file: name another")
    if target.suffix not in {DATABASE, ""}:
        raise UsageError(f"{target} is neither: {NAMES}")
    source, wanted = Path(os.path.realpath(path)), Path(os.path.realpath(target))  # which lead out of a circle of links
    if source.is_relative_to(wanted) or (source.is_dir() and wanted.is_relative_to(source)):
        raise UsageError(f"{target} is the trace itself, or in its folder, or around it: name another place")
    if not target.exists():
        return
    if path.exists() and target.samefile(path):
        raise UsageError(f"{target} is the trace itself: name another place")
    if target.is_dir() == (target.suffix == DATABASE):
        raise UsageError(f"{target} is {'a folder' if target.is_dir() else 'a file'}: {NAMES}")
    if target.is_dir() and any(target.iterdir()) and not is_folder(target):
        raise UsageError(f"{target} is a folder that gapfinder convert did not make: name another place")
    if not force and not (target.is_dir() and not any(target.iterdir())):
        raise UsageError(f"{target} is there already: give --force to replace it")
