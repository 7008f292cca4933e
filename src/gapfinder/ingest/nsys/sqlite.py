"""Reads the tables of an SQLite export, without converting or touching the file."""

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
HEADER = ">16xH10xI"  # the magic, bytes per page, and at byte 28 the number of pages
JOURNALS = ("-journal", "-wal")
# How a column is asked for, so that its type is known even where its first rows are NULL; what is empty is NULL again afterwards.
TYPED = {"VARCHAR": "ifnull(CAST(\"{}\" AS TEXT), '')", "BLOB": "ifnull(CAST(\"{}\" AS BLOB), x'')"}
AS_NUMBER = 'CAST("{}" AS INTEGER)'
BATCH_ROWS = 32768  # a million rows arrive in 0.35 s in batches of this size; four times as many take a tenth longer


class SqliteTables:
    """An SQLite file as `nsys export --type=sqlite` writes it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        # Immutable: SQLite takes no lock and leaves no journal beside the file.
        self._uri = f"file:{quote(os.fsencode(path.resolve()))}?mode=ro&immutable=1"

    def columns(self, cursor: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:  # noqa: ARG002  the same for every source
        """Tables and their columns. Views are left out: no exporter makes any."""
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
        """Rows of a transaction that never ended are in the file already, or not yet: the journal that tells is not read."""
        for journal in (Path(f"{self._path}{ending}") for ending in JOURNALS):
            if journal.is_file() and journal.stat().st_size:
                raise TraceError(
                    f"{self._path} is being written, or its writer was killed ({journal.name} lies beside it): "
                    "wait for the export, or export it again"
                )

    def _check_length(self) -> None:
        """SQLite reads a file that was cut off between two tables' pages without a word."""
        with self._path.open("rb") as file:
            header = file.read(calcsize(HEADER)).ljust(calcsize(HEADER), b"\0")
        page_bytes, pages = unpack(HEADER, header)
        expected = (65536 if page_bytes == 1 else page_bytes) * pages
        if self._path.stat().st_size < expected:
            raise damaged(self._path, f"{self._path.stat().st_size:,} of {expected:,} bytes")

    @contextmanager
    def rows(self, cursor: duckdb.DuckDBPyConnection, table: str, types: dict[str, str], where: str) -> Iterator[object]:
        """An Arrow stream of the wanted columns and rows."""
        columns = ", ".join(f'{TYPED.get(kind, AS_NUMBER).format(name)} AS "{name}"' for name, kind in types.items())
        texts = {name for name, kind in types.items() if kind in TYPED}
        nulls = ", ".join(f'nullif("{name}", \'\') AS "{name}"' if name in texts else f'"{name}"' for name in types)
        with ExitStack() as stack:
            scan = Scan(self._uri, f'SELECT {columns} FROM "{table}"', where, stack)
            yield cursor.from_arrow(scan).project(nulls) if texts else scan


class Scan:
    """The rows of a query `where` something holds, as an Arrow stream, which DuckDB pulls from. Each stream runs the query anew.

    The driver tells types by the first batch, and of no rows says numbers. DuckDB asks for the types before it reads: it is told
    those of the first row, so that no batch is read for them; of tables with texts every row is wanted. What a stream needs open
    is closed with `stack`.
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
