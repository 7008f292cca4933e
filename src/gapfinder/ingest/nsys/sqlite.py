"""Reads the tables of an SQLite export. It neither converts nor changes the file."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path
from struct import calcsize, unpack
from urllib.parse import quote

import adbc_driver_manager
import adbc_driver_sqlite
import duckdb

from gapfinder.errors import TraceError
from gapfinder.ingest.nsys.load import damaged

MAGIC = b"SQLite format 3\0"
HEADER = ">16xH10xI"  # the magic (16 bytes), bytes per page, and at byte 28 the number of pages
JOURNALS = ("-journal", "-wal")
# The driver takes the type of a column from its first rows, which may all be NULL. So texts and blobs are selected with an empty
# value in place of NULL, which fixes the type, and an empty value becomes NULL again in DuckDB.
TYPED = {"VARCHAR": "ifnull(CAST(\"{}\" AS TEXT), '')", "BLOB": "ifnull(CAST(\"{}\" AS BLOB), x'')"}
AS_NUMBER = 'CAST("{}" AS INTEGER)'
BATCH_ROWS = 32768  # a million rows take 0.35 s; batches four times as large take 10 % longer


class SqliteTables:
    """An SQLite file that `nsys export --type=sqlite` wrote."""

    def __init__(self, path: Path) -> None:
        self._path = path
        # With immutable=1, SQLite takes no lock and writes no journal beside the file.
        self._uri = f"file:{quote(os.fsencode(path.resolve()))}?mode=ro&immutable=1"

    def columns(self, cursor: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:  # noqa: ARG002  part of the protocol
        """The columns of each table, by table. Views are left out: nsys makes none. Raises TraceError if the file is damaged."""
        self._check_journals()
        self._check_length()
        try:
            connection = sqlite3.connect(self._uri, uri=True)
            try:
                tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
                return {
                    table: [row[0] for row in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))]
                    for table in tables
                }
            finally:
                connection.close()
        except sqlite3.Error as error:
            raise damaged(self._path, error) from error

    def _check_journals(self) -> None:
        """Raise TraceError if there is a journal: then the file may lack rows, or have too many, and the journal is not read."""
        for journal in (Path(f"{self._path}{suffix}") for suffix in JOURNALS):
            if journal.is_file() and journal.stat().st_size:
                raise TraceError(
                    f"{self._path} is being written, or its writer was killed ({journal.name} is beside it): "
                    "wait for the export to end, or export it again"
                )

    def _check_length(self) -> None:
        """Raise TraceError if the file is too short: SQLite reports no error if it was cut off between two tables."""
        with self._path.open("rb") as file:
            header = file.read(calcsize(HEADER)).ljust(calcsize(HEADER), b"\0")
        page_bytes, pages = unpack(HEADER, header)
        expected = (65536 if page_bytes == 1 else page_bytes) * pages
        if self._path.stat().st_size < expected:
            raise damaged(self._path, f"{self._path.stat().st_size:,} of {expected:,} bytes")

    @contextmanager
    def rows(self, cursor: duckdb.DuckDBPyConnection, table: str, types: dict[str, str], where: str) -> Iterator[object]:
        """The columns in `types` and the rows that meet `where`, as an Arrow stream."""
        columns = ", ".join(f'{TYPED.get(kind, AS_NUMBER).format(name)} AS "{name}"' for name, kind in types.items())
        texts = {name for name, kind in types.items() if kind in TYPED}
        nulls = ", ".join(f'nullif("{name}", \'\') AS "{name}"' if name in texts else f'"{name}"' for name in types)
        with ExitStack() as stack:
            scan = Scan(self._uri, f'SELECT {columns} FROM "{table}"', where, stack)
            yield cursor.from_arrow(scan).project(nulls) if texts else scan


class Scan:
    """The rows of a query that meet the condition `where`, as an Arrow stream. Each stream runs the query again.

    DuckDB asks for the types of the columns before it reads. They are taken from a query for one row, without the condition: the
    driver takes types from the first batch, and reports numbers for a batch without rows. `stack` closes the statements and the
    connection.
    """

    def __init__(self, uri: str, query: str, where: str, stack: ExitStack) -> None:
        self._uri, self._query, self._where, self._stack = uri, query, where, stack

    def __arrow_c_schema__(self) -> object:
        return self._types.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._run(f"{self._query} WHERE {self._where}", BATCH_ROWS).__arrow_c_stream__()

    @cached_property
    def _connection(self) -> adbc_driver_manager.AdbcConnection:
        database = self._stack.enter_context(adbc_driver_sqlite.connect(self._uri))
        connection: adbc_driver_manager.AdbcConnection = self._stack.enter_context(adbc_driver_manager.AdbcConnection(database))
        return connection

    @cached_property
    def _types(self) -> adbc_driver_manager.ArrowArrayStreamHandle:
        return self._run(f"{self._query} LIMIT 1", 1)

    def _run(self, query: str, batch_rows: int) -> adbc_driver_manager.ArrowArrayStreamHandle:
        statement = self._stack.enter_context(adbc_driver_manager.AdbcStatement(self._connection))
        statement.set_options(**{"adbc.sqlite.query.batch_rows": str(batch_rows)})
        statement.set_sql_query(query)
        stream: adbc_driver_manager.ArrowArrayStreamHandle
        stream, _ = statement.execute_query()
        return stream
