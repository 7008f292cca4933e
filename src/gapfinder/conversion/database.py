"""Makes a conversion as a DuckDB database, and opens one."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import duckdb

from gapfinder.conversion.record import conversion_digest, new_record
from gapfinder.ingest.nsys.converted import CONVERTED, connect, damaged_conversion, is_database, tables_of
from gapfinder.ingest.nsys.record import Record
from gapfinder.ingest.source import HEADER_BYTES
from gapfinder.options import Options
from gapfinder.pipeline.config import Config
from gapfinder.pipeline.database import SETTINGS, defined, read
from gapfinder.pipeline.relations import SCHEMA
from gapfinder.pipeline.runner import Runner
from gapfinder.system.memory import MemoryBudget
from gapfinder.units import clean

STORAGE_VERSION = "v1.4.0"  # DuckDB 1.4 and later read it
# Each of the hundreds of columns takes at least one block, and most are short: with DuckDB's default of 256 KiB, a trace of 1 MB
# becomes 13 MB. Smaller blocks compress worse: a million kernels take 156 MB with 16 KiB, and 40 MB with 64 KiB.
BLOCK_BYTES = 65_536


def write(file: Path, path: Path, options: Options, config: Config, progress: Callable[[str], None]) -> None:
    """Write a new database from the trace at `path`. Raises the errors of `read`.

    It is computed in memory and then copied, because a DuckDB file keeps the data of tables that were replaced.
    """
    budget = MemoryBudget(options.memory_bytes)
    with closing(budget), closing(duckdb.connect(config=budget.settings)) as connection:
        name = str(file).replace("'", "''")
        connection.execute(f"ATTACH '{name}' AS written (STORAGE_VERSION '{STORAGE_VERSION}', BLOCK_SIZE {BLOCK_BYTES})")
        fill(connection, path, options, config, progress, budget)
        progress("writing")
        connection.execute("SET GLOBAL preserve_insertion_order = true")  # an activity's id is the number of its row
        connection.execute("COPY FROM DATABASE memory TO written")
        connection.execute("CHECKPOINT written")


def fill(
    connection: duckdb.DuckDBPyConnection,
    path: Path,
    options: Options,
    config: Config,
    progress: Callable[[str], None],
    budget: MemoryBudget,
) -> tuple[Runner, set[str]]:
    """Fill an empty database with the trace, all its relations with their comments, and the record. Returns as `read`."""
    runner, tables = read(
        connection, path, options, config, progress, comments=True, for_conversion=True, limit_bytes=budget.limit_bytes
    )
    progress("computing all relations")
    runner.make_all()
    new_record(connection, clean(path.name), tables, options, config).write(connection)
    return runner, tables


def reopen(
    path: Path, options: Options, config: Config, budget: MemoryBudget
) -> tuple[duckdb.DuckDBPyConnection, set[str], Runner] | None:
    """A connection to a converted database, the names of the tables that its trace had, and the runner of its relations.

    None if the path is not a converted database, or if its relations are not those that these options and this gapfinder would
    compute, or were edited. Its tables are read as they are; views and macros are made anew, because those in the file may be
    anybody's. Raises TraceError as `connect`.
    """
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            header = file.read(HEADER_BYTES)
    except OSError:  # opening it as a trace reports the error
        return None
    if not is_database(header):
        return None
    connection, record = connect(path, budget.settings)
    try:
        if record.computing == conversion_digest(connection, CONVERTED, options, config):
            for setting in SETTINGS:
                connection.execute(f"SET GLOBAL {setting}")
            return connection, set(record.tables), _runner(connection, record, options, config)
    except duckdb.Error as error:
        connection.close()
        raise damaged_conversion(path, error) from error
    connection.close()
    return None


def _runner(connection: duckdb.DuckDBPyConnection, record: Record, options: Options, config: Config) -> Runner:
    """The relations, whose tables are views of those in the file."""
    there = tables_of(connection)
    connection.execute("CREATE SCHEMA export")
    for table in (table.partition(".")[2] for table in there if table.startswith("export.")):
        # an activity's id is the number of its row
        connection.execute(f'CREATE VIEW export."{table}" AS SELECT rowid, * FROM {CONVERTED}.export."{table}"')
    connection.execute(f"CREATE VIEW main.conversion AS FROM {CONVERTED}.main.conversion")
    relations = defined(config, options, record.tables)
    made = {
        name: replace(relation, sql=f'CREATE VIEW "{name}" AS FROM {CONVERTED}.{SCHEMA}."{name}"', reads=frozenset())
        for name, relation in relations.items()
        if relation.sql.startswith("CREATE TABLE") or "\nCREATE TABLE" in relation.sql
        if f"{SCHEMA}.{name}" in there
    }
    return Runner(connection, relations | made)
