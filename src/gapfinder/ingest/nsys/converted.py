"""Reads a conversion that `gapfinder convert` made; the original trace is not needed."""

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
from gapfinder.ingest.nsys.record import Record, reading_digest
from gapfinder.system.arrow import Stream

MAGIC, MAGIC_OFFSET = b"DUCK", 8
RECORD, EXPORT = "conversion.parquet", "export"  # in a converted folder: the record, and the folder with the tables of the export


def is_database(header: bytes) -> bool:
    """Whether the first bytes of a file are those of a DuckDB database."""
    return header[MAGIC_OFFSET:].startswith(MAGIC)


def is_folder(path: Path) -> bool:
    """Whether the path is a folder that `gapfinder convert` made."""
    return (path / RECORD).is_file()


def connect(path: Path) -> tuple[duckdb.DuckDBPyConnection, Record]:
    """A read-only connection to a converted database, without access to other files or the network; and the record in it.

    Raises TraceError if the file is not a conversion, cannot be read, or is open for writing in another program.
    """
    check_utf8(path)
    # By default DuckDB spills to disk beside the file. All connections of a process to one file need the same setting.
    spill = str(Path(tempfile.gettempdir()) / f"gapfinder-spill-{os.getpid()}")
    try:
        connection = duckdb.connect(path, read_only=True, config={"temp_directory": spill})
    except duckdb.Error as error:
        if "lock" in str(error) or "different configuration" in str(error):
            raise TraceError(f"{path} is open for writing in another program: close it there") from error
        raise damaged(path, error) from error
    for setting in LOCKED:  # before the first query: a table of the record may be a view that reads another file
        connection.execute(f"SET GLOBAL {setting}")
    if record := Record.read(connection):
        return connection, record
    connection.close()
    raise TraceError(f"{path} is a DuckDB database, but gapfinder convert did not make it")


class ConvertedTables:
    """The tables of the export in a converted database."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, record: Record) -> None:
        self._connection = connection
        self._tables = record.tables

    def columns(self, cursor: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:  # noqa: ARG002  part of the protocol
        """The columns of each table that the trace had, by table."""
        return {table: self._connection.table(f"export.{table}").columns for table in self._tables}

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
            yield cursor.from_arrow(Stream(converted.sql(f'SELECT {columns} FROM export."{table}" WHERE {where}')))

    def missing_rows(self, table: str) -> tuple[int, int]:  # noqa: ARG002  part of the protocol
        """None: a conversion numbers the rows again."""
        return 0, 0


@contextmanager
def database_tables(path: Path) -> Iterator[ConvertedTables]:
    """The tables of a converted database. Raises TraceError as `connect`, and if an older gapfinder read other columns."""
    connection, record = connect(path)
    with closing(connection):
        _check(path, record)
        yield ConvertedTables(connection, record)


def folder_tables(path: Path) -> ParquetTables:
    """The tables of a converted folder. Raises TraceError if the record is damaged, or an older gapfinder read other columns."""
    with closing(duckdb.connect()) as connection:
        try:
            rows = connection.read_parquet(escape(str(path / RECORD))).fetchall()
            record = Record(*rows[0])
        except (duckdb.Error, IndexError, TypeError) as error:
            raise damaged(path, error) from error
    _check(path, record)
    return ParquetTables(path / EXPORT)


def _check(path: Path, record: Record) -> None:
    if record.reading != reading_digest():
        raise TraceError(
            f"{path} was made by gapfinder {record.gapfinder}, which reads other columns of a trace than this version: "
            f"convert {record.source} again"
        )
