"""Loads an export of Nsight Systems into the tables that `sql/trace/10_source/nsys/export` declares."""

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

import duckdb

from gapfinder import resources
from gapfinder.errors import TraceError, UsageError
from gapfinder.ingest.read_range import ALL_ROWS, ReadRange
from gapfinder.query.statements import quoted
from gapfinder.system.interrupting import interrupting, result_of
from gapfinder.system.timings import timed
from gapfinder.units import timestamp

NSYS_SQL = resources.folder("sql") / "trace" / "10_source" / "nsys"
TABLES = "tables.sql"
DEFINITIONS = (TABLES, "launched_ids.sql", "missing_rows.sql", "unread_names.sql")
CALLS = "CUPTI_ACTIVITY_KIND_RUNTIME"
ACTIVITIES = tuple(f"CUPTI_ACTIVITY_KIND_{kind}" for kind in ("KERNEL", "MEMCPY", "MEMSET", "GRAPH_TRACE"))
CORRELATED = (CALLS, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION")  # tables whose rows may have the correlation id of an activity
# The largest tables are read first, after the kernels, so that the two reading threads end at about the same time.
LARGEST_FIRST = (CALLS, "OSRT_API", "NVTX_EVENTS", "SCHED_EVENTS")
TEXT_CHARS = (
    65_536  # longer texts are cut; a frame of a Python sample takes 45 characters, and other texts are shorter than its stack
)


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
        """By table, how many rows are gone and how many there were, from the numbers of the rows."""


def load(  # noqa: C901  each table must have its condition before it is read
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
    types = _declared_types(connection)
    columns = {
        table: {name: types[table][name] for name in names if name in types[table]}
        for table, names in source.columns(connection).items()
        if table in types
    }
    columns = {table: found for table, found in columns.items() if found}
    casts = {
        table: ", ".join(
            f"{_read(name if name in columns[table] else None, kind)} AS {quoted(name)}" for name, kind in types[table].items()
        )
        for table in columns
    }
    if "StringIds" not in columns:
        raise TraceError(f"{path} is not an Nsight Systems export; make one with: nsys export --type=sqlite REPORT.nsys-rep")

    cursors: list[duckdb.DuckDBPyConnection] = []

    def fill(table: str) -> int:
        cursor = connection.cursor()
        cursors.append(cursor)
        try:
            with (
                timed("reading", table),
                source.rows(cursor, table, columns[table], conditions[table]) as rows,  # noqa: F841  DuckDB finds it by its name
            ):
                # replacing a table takes half the time of inserting into it
                created = cursor.execute(f'CREATE OR REPLACE TABLE export."{table}" AS SELECT {casts[table]} FROM rows')
                count = int(created.fetchall()[0][0])
            if (missing := source.missing_rows(table))[0]:
                cursor.execute("INSERT INTO export.missing_rows VALUES (?, ?, ?)", [table, *missing])
            return count  # noqa: TRY300  the errors of both
        except duckdb.OutOfMemoryException as error:
            raise does_not_fit(path, error) from error
        except duckdb.Error as error:
            raise damaged(path, error) from error

    conditions = {table: read_range.condition(table, set(columns[table])) if read_range else ALL_ROWS for table in columns}
    activities = [table for table in ACTIVITIES if table in columns]
    with ThreadPoolExecutor(2) as pool, interrupting(pool, cursors):
        filling = {table: pool.submit(fill, table) for table in ["StringIds", *(activities if read_range else activities[:1])]}
        if not result_of(filling["StringIds"]):
            raise damaged(path, "StringIds is empty")
        if read_range:  # also read the calls that launched these activities, however long before the range
            read = {table: result_of(filled) for table, filled in filling.items()}
            if activities and not any(read[table] for table in activities):
                raise _no_activity(connection, source, activities)
            first_id, last_id = connection.execute("SELECT first_id, last_id FROM export.launched_ids").fetchall()[0]
            for table in CORRELATED:
                if "correlationId" in columns.get(table, {}) and first_id is not None:
                    conditions[table] += f" OR correlationId BETWEEN {first_id} AND {last_id}"
        if "nameId" in columns.get(CALLS, {}):
            unread = ", ".join(str(row[0]) for row in connection.execute("SELECT id FROM export.unread_names").fetchall())
            conditions[CALLS] = f"({conditions[CALLS]}) AND nameId NOT IN ({unread})" if unread else conditions[CALLS]
        rest = sorted(columns.keys() - filling, key=lambda table: [*LARGEST_FIRST, table].index(table))
        filling |= {table: pool.submit(fill, table) for table in rest}
        rows = {table: result_of(filled) for table, filled in filling.items()}
    # nsys exports no empty table: one that is empty in a whole trace was emptied later, and counts as absent
    return {table: count for table, count in rows.items() if count or read_range}


def _no_activity(connection: duckdb.DuckDBPyConnection, source: Tables, tables: list[str]) -> UsageError:
    """The error for a window in times, in and near which nothing runs on a GPU. It says when something does."""
    ends: list[int] = []
    for table in tables:
        cursor = connection.cursor()
        with source.rows(cursor, table, {"start": "BIGINT", "end": "BIGINT"}, ALL_ROWS) as rows:  # noqa: F841  as above
            ends += [end for end in cursor.execute('SELECT min("start"), max("end") FROM rows').fetchall()[0] if end is not None]
    when = f"activities run from {timestamp(min(ends))} to {timestamp(max(ends))}" if ends else "the trace has none"
    return UsageError(f"no GPU activity runs in that window: {when}")


def drop_unread(connection: duckdb.DuckDBPyConnection) -> None:
    """Delete the strings and payloads that no relation reads: a conversion does not need them, and they may be private."""
    connection.execute((NSYS_SQL / "export" / "kept.sql").read_text(encoding="utf-8"))


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
    return TraceError(f"{path} is damaged or incomplete ({str(error).splitlines()[0]}): copy or export it again")


def does_not_fit(path: Path, error: Exception) -> TraceError:
    """The error for a trace that fits neither into memory nor on the disk."""
    return TraceError(
        f"{path} does not fit ({str(error).splitlines()[0]}): raise --memory-limit, set TMPDIR to a folder with more free "
        "space, or choose a part of the trace with --window"
    )


def _declared_types(connection: duckdb.DuckDBPyConnection) -> dict[str, dict[str, str]]:
    # table by table: a query of DuckDB's catalogue would bind all of its views, which takes longer
    tables = {table: connection.table(f'export."{table}"') for table in export_tables()}
    return {table: dict(zip(relation.columns, map(str, relation.types), strict=True)) for table, relation in tables.items()}


def _read(name: str | None, kind: str) -> str:
    """The SQL for a value of the export, as its declared type."""
    return f"TRY_CAST({quoted(name) if name else 'NULL'} AS {kind})"
