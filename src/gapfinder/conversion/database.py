"""A conversion as a DuckDB database: made by computing the layers inside of it, and opened again."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb

from gapfinder import layers
from gapfinder.analyse import SETTINGS, analyse
from gapfinder.config import Config
from gapfinder.conversion.record import Record, computing
from gapfinder.ingest.converted import connected, is_database
from gapfinder.ingest.source import HEADER_BYTES
from gapfinder.memory import Room
from gapfinder.options import Options

# The format that DuckDB 1.4 and later read. Most of the hundreds of columns are short, and each takes a block: at the usual
# 256 KiB a trace of 1 MB becomes 11 MB. Blocks of 16 KiB compress badly: a million kernels take 267 MB, and 60 MB at 64 KiB.
FORMAT: dict[str, Any] = {"storage_compatibility_version": "v1.4.0", "default_block_size": "65536"}
# Nobody sees the file before it is whole: the disk is waited for once, at the end. For a small trace that spares 0.4 s.
UNSEEN, SEEN = "none", "standard"


def write(file: Path, path: Path, options: Options, config: Config, progress: Callable[[str], None]) -> None:
    """Make a new database of the trace at `path`. Errors as of `analyse`."""
    room = Room(options.memory_bytes)
    with closing(room), closing(duckdb.connect(file, config=FORMAT | room.settings | {"fsync_mode": UNSEEN})) as connection:
        fill(connection, path, options, config, progress)
        progress("writing")
        connection.execute(f"SET GLOBAL fsync_mode = '{SEEN}'")
        connection.execute("CHECKPOINT")


def fill(
    connection: duckdb.DuckDBPyConnection, path: Path, options: Options, config: Config, progress: Callable[[str], None]
) -> set[str]:
    """Fill an empty database with the trace, its layers with their comments, and the record. Returns as `analyse`.

    Of the strings of the trace it keeps those that something refers to.
    """
    tables = analyse(connection, path, options, config, progress, comments=True, whole=True)
    connection.execute((layers.folder() / "kept.sql").read_text())
    layers.run_named(connection, comments=True)
    Record.of(path.name, tables, options, config).write(connection)
    return tables


def reopened(path: Path, options: Options, config: Config, room: Room) -> tuple[duckdb.DuckDBPyConnection, set[str]] | None:
    """A conversion whose layers are the ones that would be computed, and the names of the tables that its export had.

    None where the path is anything else. Raises TraceError as `connected`.
    """
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            header = file.read(HEADER_BYTES)
    except OSError:  # that it cannot be read is told where it is opened as a trace
        return None
    if not is_database(header):
        return None
    connection, record = connected(path)
    if record.computing != computing(options, config):
        connection.close()
        return None
    if limit := room.settings.get("memory_limit"):
        connection.execute(f"SET GLOBAL memory_limit = '{limit}'")
    for setting in SETTINGS:
        connection.execute(f"SET GLOBAL {setting}")
    return connection, set(record.tables)
