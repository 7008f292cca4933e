"""Reads the tables of an SQLite export. It neither converts nor changes the file."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import cached_property
from pathlib import Path
from struct import calcsize, unpack
from urllib.parse import quote

import adbc_driver_manager
import adbc_driver_sqlite
import duckdb

from gapfinder.errors import TraceError
from gapfinder.ingest.nsys import pages
from gapfinder.ingest.nsys.load import TEXT_CHARS, damaged
from gapfinder.query.statements import quoted
from gapfinder.system.paths import journals

MAGIC = b"SQLite format 3\0"
HEADER = ">16xH10xI24xI"  # the magic (16 bytes), bytes per page, at byte 28 the number of pages, and at 56 the encoding
UTF16 = (2, 3)  # as encodings: with the low byte first, and with the high one
MIN_PAGE_BYTES = 512
# How SQLite keeps the definition of a table. A virtual table has another one: it may ask a view, whatever that costs. Columns
# that are computed from others are not listed by table_info.
ORDINARY = "CREATE TABLE "
UNTRUSTED = "PRAGMA trusted_schema = OFF"  # definitions in the file call no function that does more than compute
ROW_NUMBERS = ("rowid", "oid", "_rowid_")  # the names of a row's number, of which a column may take some
# The driver takes the type of a column from its first rows, which may all be NULL. So texts and blobs are selected with an empty
# value in place of NULL, which fixes the type, and an empty value becomes NULL again in DuckDB. Texts come as bytes too, since
# one that is not UTF-8, such as a file name, would end the reading: of it, all bytes beyond ASCII are shown as in \xE9.
AS_BYTES = f"ifnull(CAST(substr(\"{{}}\", 1, {TEXT_CHARS}) AS BLOB), x'')"
AS_NUMBER = 'CAST("{}" AS INTEGER)'
FROM_BYTES = {
    "VARCHAR": 'nullif(coalesce(TRY(decode(CAST("{0}" AS BLOB))), CAST("{0}" AS VARCHAR)), \'\') AS "{0}"',
    "BLOB": 'nullif("{0}", \'\') AS "{0}"',
}
BATCH_ROWS = 32768  # a million rows take 0.35 s; batches four times as large take 10 % longer
TEXT_ROWS = 2048  # of tables with texts, of which each may take 64 KB


class SqliteTables:
    """An SQLite file that `nsys export --type=sqlite` wrote."""

    def __init__(self, path: Path) -> None:
        self._path = path
        # With immutable=1, SQLite takes no lock and writes no journal beside the file.
        self._uri = f"file:{quote(os.fsencode(path.resolve()))}?mode=ro&immutable=1"

    def columns(self, cursor: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:  # noqa: ARG002  part of the protocol
        """The columns of each table, by table. Views are left out: nsys makes none. Raises TraceError if the file is damaged."""
        self._check_journals()
        page_bytes = self._check_length()
        with self._connected() as connection:
            entries = connection.execute("SELECT name, type, sql, rootpage FROM sqlite_master").fetchall()
            tables = {name: sql or "" for name, kind, sql, _ in entries if kind == "table"}
            if computed := [name for name, sql in tables.items() if not sql.startswith(ORDINARY)]:
                raise TraceError(f"{self._path} is no export of nsys: its table {computed[0]} is computed when it is read")
            if unnumbered := [name for name, sql in tables.items() if "ROWID" in sql.rpartition(")")[2].upper()]:
                raise TraceError(f"{self._path} is no export of nsys: its table {unnumbered[0]} does not number its rows")
            roots = [1, *(page for _, kind, _, page in entries if kind in {"table", "index"} and page)]
            if fault := pages.fault(self._path, page_bytes, roots):
                raise damaged(self._path, fault)
            return {
                name: [column for _, column, *_ in connection.execute(f"PRAGMA table_info({quoted(name)})")] for name in tables
            }

    def missing_rows(self, table: str) -> tuple[int, int]:
        """As in `Tables`: nsys numbers rows from 1 on. Those of StringIds and ENUM_ tables are ids, which may leave some out."""
        if table == "StringIds" or table.startswith("ENUM_"):
            return 0, 0
        with self._connected() as connection:
            taken = {column.lower() for _, column, *_ in connection.execute(f"PRAGMA table_info({quoted(table)})")}
            number = next((name for name in ROW_NUMBERS if name not in taken), None)
            if number is None:
                raise TraceError(f"{self._path} is no export of nsys: the columns of {table} hide the numbers of its rows")
            # as two queries: then SQLite finds the last row at the end of the table, and counts whole pages
            asked = (f"max({number})", "count(*)")
            last, count = (connection.execute(f"SELECT {what} FROM {of_table(table)}").fetchone()[0] for what in asked)
        return (last - count, last) if count and last > count else (0, 0)

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        """A connection for Python's own queries. Raises TraceError if SQLite finds damage."""
        try:
            with closing(sqlite3.connect(self._uri, uri=True)) as connection:
                connection.execute(UNTRUSTED)
                connection.set_authorizer(_only_reads)
                yield connection
        except sqlite3.Error as error:
            raise damaged(self._path, error) from error

    def _check_journals(self) -> None:
        """Raise TraceError if there is a journal: then the file may lack rows, or have too many, and the journal is not read."""
        for journal in journals(self._path):
            if journal.is_file() and journal.stat().st_size:
                raise TraceError(
                    f"{self._path} is being written, or its writer was killed ({journal.name} is beside it): "
                    "wait for the export to end, or export it again"
                )

    def _check_length(self) -> int:
        """The bytes of a page. Raises TraceError if the file is not as long as it says: what was cut off would be no rows."""
        with self._path.open("rb") as file:
            header = file.read(calcsize(HEADER)).ljust(calcsize(HEADER), b"\0")
        page_bytes, count, encoding = unpack(HEADER, header)
        if encoding in UTF16:
            raise TraceError(f"{self._path} has its texts in UTF-16, which nsys never writes: export it again")
        page_bytes = 65536 if page_bytes == 1 else page_bytes
        if page_bytes < MIN_PAGE_BYTES or page_bytes & (page_bytes - 1):
            raise damaged(self._path, f"pages of {page_bytes} bytes")
        if count and self._path.stat().st_size != page_bytes * count:
            raise damaged(self._path, f"{self._path.stat().st_size:,} of {page_bytes * count:,} bytes")
        return page_bytes

    @contextmanager
    def rows(self, cursor: duckdb.DuckDBPyConnection, table: str, types: dict[str, str], where: str) -> Iterator[object]:
        """The columns in `types` and the rows that meet `where`, as an Arrow stream."""
        columns = ", ".join(
            f'{(AS_BYTES if kind in FROM_BYTES else AS_NUMBER).format(name)} AS "{name}"' for name, kind in types.items()
        )
        values = ", ".join(FROM_BYTES.get(kind, '"{}"').format(name) for name, kind in types.items())
        texts = FROM_BYTES.keys() & types.values()
        with ExitStack() as stack:
            scan = Scan(self._uri, f"SELECT {columns} FROM {of_table(table)}", where, TEXT_ROWS if texts else BATCH_ROWS, stack)
            yield cursor.from_arrow(scan).project(values) if texts else scan


def of_table(name: str) -> str:
    """A table in FROM. SQLite reads the table itself, never an index of it, which may have other rows."""
    return f"{quoted(name)} NOT INDEXED"


def _only_reads(action: int, name: str | None, *_: str | None) -> int:
    """Allows SQLite to read tables, and to list their columns."""
    if action == sqlite3.SQLITE_PRAGMA:
        return sqlite3.SQLITE_OK if name == "table_info" else sqlite3.SQLITE_DENY
    allowed = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION)
    return sqlite3.SQLITE_OK if action in allowed else sqlite3.SQLITE_DENY


class Scan:
    """The rows of a query that meet the condition `where`, as an Arrow stream. Each stream runs the query again.

    DuckDB asks for the types of the columns before it reads. They are taken from a query for one row, without the condition: the
    driver takes types from the first batch, and reports numbers for a batch without rows. `stack` closes the statements and the
    connection.
    """

    def __init__(self, uri: str, query: str, where: str, batch_rows: int, stack: ExitStack) -> None:
        self._uri, self._query, self._where, self._batch_rows, self._stack = uri, query, where, batch_rows, stack

    def __arrow_c_schema__(self) -> object:
        return self._types.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._run(f"{self._query} WHERE {self._where}", self._batch_rows).__arrow_c_stream__()

    @cached_property
    def _connection(self) -> adbc_driver_manager.AdbcConnection:
        database = self._stack.enter_context(adbc_driver_sqlite.connect(self._uri))
        connection: adbc_driver_manager.AdbcConnection = self._stack.enter_context(adbc_driver_manager.AdbcConnection(database))
        with adbc_driver_manager.AdbcStatement(connection) as statement:
            statement.set_sql_query(UNTRUSTED)
            statement.execute_update()
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
