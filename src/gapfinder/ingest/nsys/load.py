"""Fills the tables of `sql/trace/10_source/nsys/export` from a trace of any kind."""

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

import duckdb

from gapfinder import resources
from gapfinder.errors import TraceError
from gapfinder.ingest.part import ALL, Part
from gapfinder.system.interrupting import interrupting

SQL = resources.folder("sql") / "trace" / "10_source" / "nsys"
TABLES = "tables.sql"
CALLS = "CUPTI_ACTIVITY_KIND_RUNTIME"
ACTIVITIES = tuple(f"CUPTI_ACTIVITY_KIND_{kind}" for kind in ("KERNEL", "MEMCPY", "MEMSET", "GRAPH_TRACE"))
LAUNCHING = (CALLS, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION")  # of which some rows have the ids of activities
# The tables that hold nearly all rows go first, so that the two readers end at about the same time; before them, kernels.
LARGEST_FIRST = (CALLS, "OSRT_API", "NVTX_EVENTS")
# Once the trace is read nothing else may be: neither a query nor a cause of the user's own needs a file, the network, or a
# variable of the program. There is no way back from the first of these.
NO_FILES, NO_VARIABLES = "enable_external_access = false", "python_enable_replacements = false"
LOCKED = (NO_FILES, NO_VARIABLES)


class Tables(Protocol):
    """The tables of an export on disk."""

    def columns(self, cursor: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
        """Its tables and their columns, by name."""

    def rows(
        self, cursor: duckdb.DuckDBPyConnection, table: str, types: dict[str, str], where: str
    ) -> AbstractContextManager[object]:
        """The columns in `types` of a table, of the rows for which the SQL `where` holds, as something DuckDB scans."""


def load(
    connection: duckdb.DuckDBPyConnection, source: Tables, path: Path, *, part: Part | None = None, beside: str = ""
) -> dict[str, int]:
    """Create and fill the `export` schema; returns how many rows were read of each table that has any, or is there in a part.

    Only `part` of the trace is read where it is given. `beside` is SQL that adds columns to its tables.

    Raises TraceError where the trace is no Nsight Systems export or cannot be read to its end.
    """
    for file in (TABLES, "launched_ids.sql", "unread_names.sql"):
        connection.execute(_definitions(file))
    connection.execute(beside)
    types = _declared(connection)
    have = {
        table: {name: types[table][name] for name in columns if name in types[table]}
        for table, columns in source.columns(connection).items()
        if table in types
    }
    have = {table: columns for table, columns in have.items() if columns}
    # Replacing a table takes half the time of inserting into it.
    shape = {
        table: ", ".join(
            f"TRY_CAST({_quoted(name) if name in have[table] else 'NULL'} AS {kind}) AS {_quoted(name)}"
            for name, kind in types[table].items()
        )
        for table in have
    }
    if "StringIds" not in have:
        raise TraceError(f"{path} is not an Nsight Systems export; make one with: nsys export --type=sqlite REPORT.nsys-rep")

    cursors: list[duckdb.DuckDBPyConnection] = []

    def fill(table: str) -> int:
        cursor = connection.cursor()
        cursors.append(cursor)
        try:
            with source.rows(cursor, table, have[table], wanted[table]) as rows:  # noqa: F841  DuckDB finds it by its name
                made = cursor.execute(f'CREATE OR REPLACE TABLE export."{table}" AS SELECT {shape[table]} FROM rows')
                return int(made.fetchall()[0][0])
        except duckdb.OutOfMemoryException as error:
            raise no_room(path, error) from error
        except duckdb.Error as error:
            raise damaged(path, error) from error

    wanted = {table: part.holds(table, set(have[table])) if part else ALL for table in have}
    activities = [table for table in ACTIVITIES if table in have]
    with ThreadPoolExecutor(2) as pool, interrupting(pool, cursors):
        filling = {table: pool.submit(fill, table) for table in ["StringIds", *(activities if part else activities[:1])]}
        if not filling["StringIds"].result():
            raise damaged(path, "StringIds is empty")
        if part:
            for filled in filling.values():
                filled.result()
            first_id, last_id = connection.execute("SELECT first_id, last_id FROM export.launched_ids").fetchall()[0]
            for table in (table for table in LAUNCHING if "correlationId" in have.get(table, {}) and first_id is not None):
                wanted[table] += f" OR correlationId BETWEEN {first_id} AND {last_id}"
        if CALLS in wanted and "nameId" in have[CALLS]:
            unread = ", ".join(str(row[0]) for row in connection.execute("SELECT id FROM export.unread_names").fetchall())
            wanted[CALLS] = f"({wanted[CALLS]}) AND nameId NOT IN ({unread})" if unread else wanted[CALLS]
        rest = sorted(have.keys() - filling, key=lambda table: [*LARGEST_FIRST, table].index(table))
        filling |= {table: pool.submit(fill, table) for table in rest}
        rows = {table: filled.result() for table, filled in filling.items()}
    # no export holds a table without rows: one that is empty was emptied, or holds none of that part
    return {table: many for table, many in rows.items() if many or part}


def keep(connection: duckdb.DuckDBPyConnection) -> None:
    """Leave only the strings and payloads that some relation reads: a conversion holds no others."""
    connection.execute((SQL / "export" / "kept.sql").read_text())


def export_tables() -> list[str]:
    """Names of the tables of an export that gapfinder reads."""
    return re.findall(r"^CREATE TABLE export\.(\w+)", _definitions(TABLES), re.MULTILINE)


def declaration() -> str:
    """The SQL that says which tables, columns and rows are read of a trace."""
    return "".join(map(_definitions, (TABLES, "launched_ids.sql", "unread_names.sql")))


def _definitions(file: str) -> str:
    text = (SQL / "export" / file).read_text()
    return text.partition("\nCOMMENT ON")[0]


def damaged(path: Path, error: Exception | str) -> TraceError:
    """What to say of a file that cannot be read to its end."""
    return TraceError(f"{path} is damaged or incomplete ({str(error).splitlines()[0]}): copy or export it again")


def no_room(path: Path, error: Exception) -> TraceError:
    """What to say where neither the memory nor the disk that there is holds a trace."""
    return TraceError(
        f"{path} does not fit ({str(error).splitlines()[0]}): give it more with --memory-limit, let TMPDIR name a folder with "
        "more room, or choose a part of it with --window"
    )


def _declared(connection: duckdb.DuckDBPyConnection) -> dict[str, dict[str, str]]:
    # asked of each: a catalogue of all columns binds every view of DuckDB's own for it
    tables = {table: connection.table(f'export."{table}"') for table in export_tables()}
    return {table: dict(zip(found.columns, map(str, found.types), strict=True)) for table, found in tables.items()}


def _quoted(name: str) -> str:
    return f'"{name}"'
