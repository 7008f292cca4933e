"""Loads an export of Nsight Systems into the tables that `sql/trace/10_source/nsys/export` declares."""

import re
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

import duckdb

from gapfinder import resources
from gapfinder.errors import TraceError, UsageError, first_line
from gapfinder.ingest.read_range import ALL_ROWS, ReadRange
from gapfinder.query.statements import quoted
from gapfinder.system.ending import working
from gapfinder.system.interrupting import result_of
from gapfinder.system.room import lacks_room
from gapfinder.system.timings import timed
from gapfinder.system.workers import workers
from gapfinder.units import timestamp

NSYS_SQL = resources.folder("sql") / "trace" / "10_source" / "nsys"
TABLES = "tables.sql"
DEFINITIONS = (TABLES, "launched_ids.sql", "missing_rows.sql", "partly_read.sql", "query_call_names.sql")
CALLS = "CUPTI_ACTIVITY_KIND_RUNTIME"
ACTIVITIES = tuple(f"CUPTI_ACTIVITY_KIND_{kind}" for kind in ("KERNEL", "MEMCPY", "MEMSET", "GRAPH_TRACE"))
CORRELATED = (CALLS, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION")  # tables whose rows may have the correlation id of an activity
# The largest tables are read first, after the kernels, so that the two reading threads end at about the same time.
LARGEST_FIRST = (CALLS, "OSRT_API", "NVTX_EVENTS", "SCHED_EVENTS")
# Values of these columns end at 2^53 either way: sums and differences of them fit. To `is_interval`, such a time is impossible.
BOUNDED = ("start", "end", "startedAt", "endedAt", "timestamp", "bytes", "bytesProcessed", "numberOfPageFaults", "offset")
BOUND = 1 << 53
# Longer texts are cut. A frame of a Python sample takes 45 characters, and other texts are shorter than its stack.
TEXT_CHARS = 65_536


class Tables(Protocol):
    """The tables of an export on disk."""

    def columns(self, cursor: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
        """The columns of each table, by table."""

    def rows(
        self, cursor: duckdb.DuckDBPyConnection, table: str, types: dict[str, str], where: str
    ) -> AbstractContextManager[object]:
        """The columns in `types` and the rows that meet the SQL condition `where`, as an object that DuckDB can scan.

        Texts are cut after TEXT_CHARS.
        """

    def missing_rows(self, table: str) -> tuple[int, int]:
        """How many rows of a table are gone, and how many there were; (0, 0) where nothing tells."""


def load(
    connection: duckdb.DuckDBPyConnection,
    source: Tables,
    path: Path,
    *,
    read_range: ReadRange | None = None,
    more_columns: str = "",
) -> dict[str, int]:
    """Create and fill the schema `export`.

    With a `read_range`, only its rows are read. `more_columns` is SQL that adds columns to the tables. Returns the number of rows
    by table, without tables that have no rows; with a `read_range`, a table of the trace counts even without rows.

    Raises TraceError if the trace is not an Nsight Systems export or cannot be read to its end.
    """
    connection.execute(declaration())
    connection.execute(more_columns)
    loader = _Loader(connection, source, path, read_range)
    activities = [table for table in ACTIVITIES if table in loader.columns]
    with workers(2, loader.cursors) as pool:
        first = ["StringIds", *(activities if read_range else activities[:1])]
        filling = {table: pool.submit(loader.fill, table) for table in first}
        if not result_of(filling["StringIds"]):
            raise damaged(path, "StringIds is empty")
        if read_range:
            rows = {table: result_of(filled) for table, filled in filling.items()}
            if activities and not any(rows[table] for table in activities):
                raise _no_activity(connection, source, activities)
            loader.add_launches()
        loader.leave_out_queries()
        rest = sorted(loader.columns.keys() - filling, key=lambda table: [*LARGEST_FIRST, table].index(table))
        filling |= {table: pool.submit(loader.fill, table) for table in rest}
        rows = {table: result_of(filled) for table, filled in filling.items()}
    # nsys exports no empty table: one that is empty in a whole trace was emptied later, and counts as absent
    return {table: count for table, count in rows.items() if count or read_range}


class _Loader:
    """Fills tables of the schema `export`, on several threads. `columns` are those that are read, by table, with their types."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, source: Tables, path: Path, read_range: ReadRange | None) -> None:
        self._connection, self._source, self._path, self._read_range = connection, source, path, read_range
        self._types = _declared_types(connection)
        there = {
            table: {name: kind for name, kind in self._types.get(table, {}).items() if name in names}
            for table, names in source.columns(connection).items()
        }
        self.columns = {table: found for table, found in there.items() if found}
        if "StringIds" not in self.columns:
            raise TraceError(f"{path} is not an Nsight Systems export; make one with: nsys export --type=sqlite REPORT.nsys-rep")
        self._conditions = {
            table: read_range.condition(table, found.keys()) if read_range else ALL_ROWS for table, found in self.columns.items()
        }
        self.cursors: list[duckdb.DuckDBPyConnection] = []

    def fill(self, table: str) -> int:
        """Read a table; returns the number of its rows."""
        columns = self.columns[table]
        values = ", ".join(
            f"{_read(name if name in columns else None, kind)} AS {quoted(name)}" for name, kind in self._types[table].items()
        )
        cursor = self._connection.cursor()
        self.cursors.append(cursor)
        try:
            with (
                working(cursor),
                timed("reading", table),
                self._source.rows(cursor, table, columns, self._conditions[table]) as rows,  # noqa: F841  DuckDB finds it by its name
            ):
                # replacing a table takes half the time of inserting into it
                created = cursor.execute(f'CREATE OR REPLACE TABLE export."{table}" AS SELECT {values} FROM rows')
                count = int(created.fetchall()[0][0])
            if (missing := self._source.missing_rows(table))[0]:
                cursor.execute("INSERT INTO export.missing_rows VALUES (?, ?, ?)", [table, *missing])
            if self._read_range and self._leaves_out(cursor, table, self._read_range):
                cursor.execute("INSERT INTO export.partly_read VALUES (?)", [table])
        except duckdb.Error as error:
            raise unreadable(self._path, error) from error
        return count

    def _leaves_out(self, cursor: duckdb.DuckDBPyConnection, table: str, read_range: ReadRange) -> bool:
        """Whether rows of the table lie outside of the range."""
        condition = read_range.condition(table, self.columns[table].keys())
        if condition == ALL_ROWS:
            return False
        with self._source.rows(cursor, table, {"start": "BIGINT"}, f"NOT ({condition})") as rows:  # noqa: F841  as above
            return bool(cursor.execute("SELECT 1 FROM rows LIMIT 1").fetchall())

    def add_launches(self) -> None:
        """Also read the calls that launched the activities which were read, however long before the range."""
        first_id, last_id = self._connection.execute("SELECT first_id, last_id FROM export.launched_ids").fetchall()[0]
        for table in CORRELATED:
            if "correlationId" in self.columns.get(table, {}) and first_id is not None:
                self._conditions[table] += f" OR correlationId BETWEEN {first_id} AND {last_id}"

    def leave_out_queries(self) -> None:
        """Do not read the calls that only ask a question. Needs the strings."""
        if "nameId" in self.columns.get(CALLS, {}):
            left_out = ", ".join(
                str(row[0]) for row in self._connection.execute("SELECT id FROM export.query_call_names").fetchall()
            )
            if left_out:
                self._conditions[CALLS] = f"({self._conditions[CALLS]}) AND coalesce(nameId NOT IN ({left_out}), true)"


def _no_activity(connection: duckdb.DuckDBPyConnection, source: Tables, tables: list[str]) -> UsageError:
    """The error for a window in times, in and near which nothing runs on a GPU. It says when something does."""
    ends: list[int] = []
    for table in tables:
        cursor = connection.cursor()
        with source.rows(cursor, table, {"start": "BIGINT", "end": "BIGINT"}, ALL_ROWS) as rows:  # noqa: F841  as above
            ends += [end for end in cursor.execute('SELECT min("start"), max("end") FROM rows').fetchall()[0] if end is not None]
    when = f"activities run from {timestamp(min(ends))} to {timestamp(max(ends))}" if ends else "the trace has none"
    return UsageError(f"no GPU activity runs in that window: {when}")


def drop_unused(connection: duckdb.DuckDBPyConnection) -> None:
    """Delete the strings and payloads that no relation reads: a conversion does not need them, and they may be private."""
    connection.execute((NSYS_SQL / "export" / "unused.sql").read_text(encoding="utf-8"))


def export_tables() -> list[str]:
    """The names of the tables of an export that gapfinder reads."""
    return re.findall(r"^CREATE TABLE export\.(\w+)", _definitions(TABLES), re.MULTILINE)


def declaration() -> str:
    """The SQL that creates the empty tables, and the views that say which of their rows are read."""
    return "".join(map(_definitions, DEFINITIONS))


def _definitions(file: str) -> str:
    """A file of SQL without its comments on columns."""
    text = (NSYS_SQL / "export" / file).read_text(encoding="utf-8")
    return text.partition("\nCOMMENT ON")[0]


def damaged(path: Path, error: Exception | str) -> TraceError:
    """The error for a file that cannot be read to its end."""
    return TraceError(f"{path} is damaged or incomplete ({first_line(error)}): copy or export it again")


def unreadable(path: Path, error: duckdb.Error) -> TraceError:
    """The error for a trace at which DuckDB failed: it does not fit, or else it is damaged."""
    return does_not_fit(path, error) if lacks_room(error) else damaged(path, error)


def does_not_fit(path: Path, error: Exception) -> TraceError:
    """The error for a trace that fits neither into memory nor on the disk."""
    return TraceError(
        f"{path} does not fit ({first_line(error)}): raise --memory-limit, set TMPDIR to a folder with more free "
        "space, or choose a part of the trace with --window"
    )


def _declared_types(connection: duckdb.DuckDBPyConnection) -> dict[str, dict[str, str]]:
    # table by table: a query of DuckDB's catalogue would bind all of its views, which takes longer
    tables = {table: connection.table(f'export."{table}"') for table in export_tables()}
    return {table: dict(zip(relation.columns, map(str, relation.types), strict=True)) for table, relation in tables.items()}


def _read(name: str | None, kind: str) -> str:
    """The SQL for a value of the export, as its declared type."""
    value = f"TRY_CAST({quoted(name) if name else 'NULL'} AS {kind})"
    if name not in BOUNDED:
        return value
    return f"CASE WHEN {value} IS NOT NULL THEN greatest(least({value}, {BOUND}), -{BOUND}) END"  # these two pass over NULL
