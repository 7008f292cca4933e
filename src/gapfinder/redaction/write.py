"""Writes redacted tables from DuckDB to an SQLite export."""

import sqlite3
from contextlib import closing
from pathlib import Path

import adbc_driver_manager
import adbc_driver_sqlite
import duckdb

from gapfinder.errors import OutputError, first_line
from gapfinder.system.arrow import Stream

SAMPLES = "jsonText"  # the column for Python samples, which exports have in one of two columns


def write(connection: duckdb.DuckDBPyConnection, columns: dict[str, list[str]], file: Path, target: Path) -> None:
    """Write every table that gapfinder reads to the new SQLite `file`. `columns` are those of the trace, by table.

    A table with texts is written from its view in the schema `redacted`; of any other table only the numbers are written. Where
    rows are gone, the numbers of the rows tell it as before. Raises OutputError, which names `target`, if SQLite cannot write it.
    """
    schemas = (
        "SELECT table_name, max(schema_name) FROM duckdb_columns() "
        "WHERE schema_name IN ('export', 'redacted') GROUP BY table_name ORDER BY table_name"
    )
    tables: set[str] = set()
    allowed = {table: schema for table, schema in connection.execute(schemas).fetchall() if table in columns}
    try:
        with adbc_driver_sqlite.connect(str(file)) as database, adbc_driver_manager.AdbcConnection(database) as out:
            for table, schema in allowed.items():
                rows = connection.table(f'{schema}."{table}"')
                names = [
                    f'"{name}"'
                    for name, kind in zip(rows.columns, rows.types, strict=True)
                    if (name in columns[table] or name == SAMPLES) and (schema == "redacted" or kind != "VARCHAR")
                ]
                if not names:  # the trace has a table of this name, and none of its columns
                    continue
                with adbc_driver_manager.AdbcStatement(out) as statement:
                    statement.set_options(**{"adbc.ingest.target_table": table, "adbc.ingest.mode": "adbc.ingest.mode.create"})
                    statement.bind_stream(Stream(rows.project(", ".join(names))))
                    statement.execute_update()
                tables.add(table)
        with closing(sqlite3.connect(file)) as out, out:
            gone = dict(connection.execute('SELECT table_name, "rows" FROM export.missing_rows').fetchall())
            for table in tables & gone.keys():
                last = f'(SELECT max(rowid) FROM "{table}")'
                out.execute(f'UPDATE "{table}" SET rowid = rowid + ? WHERE rowid = {last}', [gone[table]])
    except (adbc_driver_manager.Error, sqlite3.Error) as error:
        # the message is often that of a later error
        why = "perhaps the disk is full, or a file may not be so large"
        raise OutputError(f"{target} cannot be written ({first_line(error)}): {why}") from error
