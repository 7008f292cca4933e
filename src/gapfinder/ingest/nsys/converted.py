"""Reads what `gapfinder convert` made, without the trace that it was made of."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from glob import escape
from pathlib import Path

import duckdb

from gapfinder.errors import TraceError
from gapfinder.ingest.names import check_utf8
from gapfinder.ingest.nsys.load import LOCKED, damaged
from gapfinder.ingest.nsys.parquet import ParquetTables
from gapfinder.ingest.nsys.record import Record, reading

MAGIC, MAGIC_AT = b"DUCK", 8
RECORD, EXPORT = "conversion.parquet", "export"  # in a folder: its record, and the folder of the tables that were read


def is_database(header: bytes) -> bool:
    """Whether the first bytes of a file are those of a DuckDB database."""
    return header[MAGIC_AT:].startswith(MAGIC)


def is_folder(path: Path) -> bool:
    """Whether it is a folder that `gapfinder convert` made."""
    return (path / RECORD).is_file()


def connected(path: Path) -> tuple[duckdb.DuckDBPyConnection, Record]:
    """A read-only connection to a converted database, shut off from anything else, and its record.

    Raises TraceError where it is no conversion, cannot be read, or is held by another program that writes to it.
    """
    check_utf8(path)
    # DuckDB would put what does not fit into memory beside the file; all that a process has open need one place for it.
    spill = str(Path(tempfile.gettempdir()) / f"gapfinder-spill-{os.getpid()}")
    try:
        connection = duckdb.connect(path, read_only=True, config={"temp_directory": spill})
    except duckdb.Error as error:
        if "lock" in str(error) or "different configuration" in str(error):
            raise TraceError(f"{path} is open for writing elsewhere: close it there") from error
        raise damaged(path, error) from error
    for setting in LOCKED:  # before anything is asked: what the file calls a table may be a view
        connection.execute(f"SET GLOBAL {setting}")
    if record := Record.read(connection):
        return connection, record
    connection.close()
    raise TraceError(f"{path} is a DuckDB database, but none that gapfinder convert made")


class Stream:
    """A relation of one database, which a connection to another reads only as an Arrow stream."""

    def __init__(self, relation: duckdb.DuckDBPyRelation) -> None:
        self._relation = relation

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._relation.__arrow_c_stream__(requested_schema)


class ConvertedTables:
    """The tables of the export as a converted database keeps them."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, record: Record) -> None:
        self._connection = connection
        self._tables = record.tables

    def columns(self, cursor: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:  # noqa: ARG002  the same for every source
        """Tables that the trace had, and their columns."""
        return {table: self._connection.table(f"export.{table}").columns for table in self._tables}

    @contextmanager
    def rows(
        self,
        cursor: duckdb.DuckDBPyConnection,
        table: str,
        types: dict[str, str],
        where: str,
    ) -> Iterator[object]:
        """The wanted columns and rows as an Arrow stream."""
        columns = ", ".join(f'"{name}"' for name in types)
        with closing(self._connection.cursor()) as kept:
            yield cursor.from_arrow(Stream(kept.sql(f'SELECT {columns} FROM export."{table}" WHERE {where}')))


@contextmanager
def database_tables(path: Path) -> Iterator[ConvertedTables]:
    """The export of a converted database. Raises TraceError as `connected`, and where an older gapfinder read other columns."""
    connection, record = connected(path)
    with closing(connection):
        _check(path, record)
        yield ConvertedTables(connection, record)


def folder_tables(path: Path) -> ParquetTables:
    """The export of a converted folder. Raises TraceError where an older gapfinder read other columns."""
    with closing(duckdb.connect()) as connection:
        try:
            rows = connection.read_parquet(escape(str(path / RECORD))).fetchall()
            record = Record(*rows[0])
        except (duckdb.Error, IndexError, TypeError) as error:
            raise damaged(path, error) from error
    _check(path, record)
    return ParquetTables(path / EXPORT)


def _check(path: Path, record: Record) -> None:
    if record.reading != reading():
        raise TraceError(
            f"{path} was made by gapfinder {record.gapfinder}, which reads other parts of a trace than this one: "
            f"convert {record.source} again"
        )
