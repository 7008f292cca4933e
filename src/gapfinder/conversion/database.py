"""A conversion as a DuckDB database: how it is made, and opened again."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import duckdb

from gapfinder.conversion.record import computing, record_of
from gapfinder.ingest.nsys.converted import connected, is_database
from gapfinder.ingest.source import HEADER_BYTES
from gapfinder.options import Options
from gapfinder.pipeline.config import Config
from gapfinder.pipeline.database import SETTINGS, read
from gapfinder.pipeline.runner import Runner
from gapfinder.system.memory import Room

STORAGE_VERSION = "v1.4.0"  # which DuckDB 1.4 and later read
# Most of the hundreds of columns are short, and each takes a block: at the usual 256 KiB a trace of 1 MB becomes 13 MB. Blocks of
# 16 KiB compress badly: a million kernels take 156 MB, and 40 MB at 64 KiB.
BLOCK_BYTES = 65_536


def write(file: Path, path: Path, options: Options, config: Config, progress: Callable[[str], None]) -> None:
    """Make a new database of the trace at `path`. Errors as of `read`.

    It is computed in memory and then copied: what a file once held stays in it, also of a table that was replaced.
    """
    room = Room(options.memory_bytes)
    with closing(room), closing(duckdb.connect(config=room.settings)) as connection:
        name = str(file).replace("'", "''")
        connection.execute(f"ATTACH '{name}' AS written (STORAGE_VERSION '{STORAGE_VERSION}', BLOCK_SIZE {BLOCK_BYTES})")
        fill(connection, path, options, config, progress)
        progress("writing")
        connection.execute("SET GLOBAL preserve_insertion_order = true")  # ids of activities are places of rows
        connection.execute("COPY FROM DATABASE memory TO written")
        connection.execute("CHECKPOINT written")


def fill(
    connection: duckdb.DuckDBPyConnection, path: Path, options: Options, config: Config, progress: Callable[[str], None]
) -> tuple[Runner, set[str]]:
    """Fill an empty database with the trace, all its relations with their comments, and the record. Returns as `read`."""
    runner, tables = read(connection, path, options, config, progress, comments=True, to_keep=True)
    progress("computing everything")
    runner.make_all()
    record_of(path.name, tables, options, config).write(connection)
    return runner, tables


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
