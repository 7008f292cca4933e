"""Reads a conversion that `gapfinder convert` made; the original trace is not needed."""

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from glob import escape
from pathlib import Path
from typing import Any

import duckdb

from gapfinder.errors import TraceError, first_line
from gapfinder.ingest.names import check_utf8
from gapfinder.ingest.nsys.load import export_tables
from gapfinder.ingest.nsys.parquet import ParquetTables
from gapfinder.ingest.nsys.record import Record, reading_digest
from gapfinder.system.arrow import Stream
from gapfinder.system.locking import lock
from gapfinder.units import count

MAGIC, MAGIC_OFFSET = b"DUCK", 8
CONVERTED = "converted"  # what a converted database is called beside the one that reads it
EXPORT = "export"  # the schema in it of the tables of the export
# in a converted folder: the record, the relation of rows that are gone, and the folder with the tables of the export
MISSING_ROWS = "missing_rows"
RECORD, MISSING, EXPORT_FOLDER = "conversion.parquet", f"{MISSING_ROWS}.parquet", "export"


def is_database(header: bytes) -> bool:
    """Whether the first bytes of a file are those of a DuckDB database."""
    return header[MAGIC_OFFSET:].startswith(MAGIC)


def is_folder(path: Path) -> bool:
    """Whether the path is a folder that `gapfinder convert` made. Raises TraceError if it may not be entered."""
    try:
        return (path / RECORD).is_file()
    except OSError as error:
        raise TraceError(f"{path} cannot be read: {error.strerror}") from error


def connect(path: Path, settings: Mapping[str, Any]) -> tuple[duckdb.DuckDBPyConnection, Record]:
    """An empty database with the converted one attached as `converted`, to read; and the record in it.

    The file may come from anybody: only its ordinary tables are read, and none of its views and macros. Raises TraceError if it
    is not a conversion, cannot be read, or is open for writing in another program.
    """
    check_utf8(path)
    for journal in (Path(f"{place}.wal") for place in (path.absolute(), path.resolve())):
        if journal.exists():
            raise TraceError(
                f"{path} is being written, or its writer was killed ({journal.name} is beside it): convert the trace again"
            )
    connection = duckdb.connect(config=dict(settings))
    name = os.fspath(path.absolute()).replace("'", "''")
    with ExitStack() as undone:
        undone.callback(connection.close)
        try:
            connection.execute(f"ATTACH '{name}' AS {CONVERTED} (READ_ONLY)")
            lock(connection)
            if "main.conversion" in tables_of(connection) and (record := Record.read(connection, f"{CONVERTED}.main.conversion")):
                undone.pop_all()
                return connection, record
        except duckdb.Error as error:
            if "set lock" in str(error):
                raise TraceError(f"{path} is open for writing in another program: close it there") from error
            raise damaged_conversion(path, error) from error
    raise TraceError(
        f"{path} is a DuckDB database, but this version of gapfinder convert did not make it: convert the trace again"
    )


def tables_of(connection: duckdb.DuckDBPyConnection, database: str = CONVERTED) -> set[str]:
    """The ordinary tables of a database, as schema.table: no views, and nothing that is computed when it is read."""
    tables = "SELECT schema_name || '.' || table_name, sql FROM duckdb_tables() WHERE database_name = $1"
    return {
        name for name, sql in connection.cursor().execute(tables, [database]).fetchall() if "GENERATED ALWAYS" not in sql.upper()
    }


class ConvertedTables:
    """The tables of the export in a converted database."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, record: Record) -> None:
        self._connection = connection
        self._record = record

    def columns(self, cursor: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:  # noqa: ARG002  part of the protocol
        """The columns of each table that the trace had, by table."""
        tables = [table for table in export_tables() if table in self._record.tables]
        return {table: self._connection.table(f'{CONVERTED}.{EXPORT}."{table}"').columns for table in tables}

    @contextmanager
    def rows(
        self,
        cursor: duckdb.DuckDBPyConnection,
        table: str,
        types: dict[str, str],
        where: str,
    ) -> Iterator[object]:
        """The columns in `types` and the rows that meet `where`, as an Arrow stream: two databases share no relations."""
        columns = ", ".join(f'"{name}"' for name in types)
        with closing(self._connection.cursor()) as converted:
            yield cursor.from_arrow(Stream(converted.sql(f'SELECT {columns} FROM {CONVERTED}.{EXPORT}."{table}" WHERE {where}')))

    def missing_rows(self, table: str) -> tuple[int, int]:
        """What was missing when the conversion was made."""
        found = f'SELECT "rows", all_rows FROM {CONVERTED}.{EXPORT}.missing_rows WHERE table_name = $1'
        return next(iter(self._connection.cursor().execute(found, [table]).fetchall()), (0, 0))


@contextmanager
def database_tables(path: Path) -> Iterator[ConvertedTables]:
    """The tables of a converted database. Raises TraceError as `connect`, and if an older gapfinder read other columns."""
    connection, record = connect(path, {})
    with closing(connection):
        try:
            _check(path, record, _counted(connection))
            yield ConvertedTables(connection, record)
        except duckdb.OutOfMemoryException:
            raise
        except duckdb.Error as error:
            raise damaged_conversion(path, error) from error


class FolderTables(ParquetTables):
    """The tables of a converted folder. `missing` has, by table, how many rows were gone when it was made, and of how many."""

    def __init__(self, path: Path, missing: Mapping[str, tuple[int, int]]) -> None:
        super().__init__(path)
        self._missing = missing

    def missing_rows(self, table: str) -> tuple[int, int]:
        """What was missing when the conversion was made."""
        return self._missing.get(table, (0, 0))


def folder_tables(path: Path) -> FolderTables:
    """The tables of a converted folder. Raises TraceError if it is damaged, or an older gapfinder read other columns."""
    with closing(duckdb.connect()) as connection:
        try:
            connection.register("record", connection.read_parquet(escape(str(path / RECORD))))
            record = Record.read(connection, "record")
            if record is None:
                raise damaged_conversion(path, f"{RECORD} is no record of this version of gapfinder")
            missing = connection.read_parquet(escape(str(path / MISSING))).project('table_name, "rows", all_rows').fetchall()
            gone = {str(table): (int(times), int(of)) for table, times, of in missing}
            there = _counted_files(connection, path / EXPORT_FOLDER) | {MISSING_ROWS: len(missing)}
        except (duckdb.Error, TypeError, ValueError) as error:
            raise damaged_conversion(path, error) from error
    _check(path, record, there)
    return FolderTables(path / EXPORT_FOLDER, gone)


def damaged_conversion(path: Path, error: Exception | str) -> TraceError:
    """The error for a conversion that cannot be read to its end."""
    return TraceError(f"{path} is damaged or incomplete ({first_line(error)}): copy it again, or convert the trace again")


def _counted(connection: duckdb.DuckDBPyConnection) -> dict[str, int]:
    """The number of rows of each table of the export in a converted database, by table."""
    there = [name for name in tables_of(connection) if name.startswith(f"{EXPORT}.")]
    return {name.removeprefix(f"{EXPORT}."): connection.table(f"{CONVERTED}.{name}").shape[0] for name in there}


def _counted_files(connection: duckdb.DuckDBPyConnection, folder: Path) -> dict[str, int]:
    """The number of rows of each table in a folder of Parquet files, by table."""
    files = [file for file in folder.glob("*.parquet") if file.is_file()]  # opening a named pipe would block
    return {file.stem: connection.read_parquet(escape(str(file))).shape[0] for file in files}


def _check(path: Path, record: Record, there: Mapping[str, int]) -> None:
    """Raise TraceError if other columns were read than now, or if the tables that are `there` have other rows."""
    if record.reading != reading_digest():
        raise TraceError(
            f"{path} was made by gapfinder {record.gapfinder}, which reads other columns of a trace than this version: "
            f"convert {record.source} again"
        )
    for table, rows in zip(record.tables, record.rows, strict=True):
        if table not in there:
            raise damaged_conversion(path, f"{table} is gone")
        if there[table] != rows:
            raise damaged_conversion(path, f"{table} has {count(there[table], 'row')}, and had {rows:,}")
