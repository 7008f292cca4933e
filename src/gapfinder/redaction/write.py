"""Writes tables of DuckDB as an SQLite export."""

from pathlib import Path

import adbc_driver_manager
import adbc_driver_sqlite
import duckdb

from gapfinder.arrow import Stream
from gapfinder.errors import UsageError

SAMPLES = "jsonText"  # where Python samples go, whichever of two columns they came from


def write(connection: duckdb.DuckDBPyConnection, columns: dict[str, list[str]], file: Path, target: Path) -> None:
    """Write each table that the trace has, with those of its `columns` that may be shared, to the new SQLite `file`.

    A table with texts is what its view in the schema `redacted` says; of any other the numbers are written. Raises UsageError,
    which speaks of the `target`, where there is no room.
    """
    query = (
        "SELECT table_name, any_value(schema_name ORDER BY schema_name = 'redacted' DESC) FROM duckdb_columns() "
        "WHERE schema_name IN ('export', 'redacted') GROUP BY table_name"
    )
    allowed = dict(connection.execute(query).fetchall())
    try:
        with adbc_driver_sqlite.connect(str(file)) as database, adbc_driver_manager.AdbcConnection(database) as out:
            for table in columns:
                if table not in allowed:
                    continue
                relation = connection.table(f'{allowed[table]}."{table}"')
                names = [
                    name
                    for name, kind in zip(relation.columns, relation.types, strict=True)
                    if (name in columns[table] or name == SAMPLES) and (allowed[table] == "redacted" or kind != "VARCHAR")
                ]
                with adbc_driver_manager.AdbcStatement(out) as statement:
                    statement.set_options(
                        **{"adbc.ingest.target_table": table, "adbc.ingest.mode": "adbc.ingest.mode.create"}
                    )
                    statement.bind_stream(Stream(relation.project(", ".join(f'"{name}"' for name in names))))
                    statement.execute_update()
    except adbc_driver_manager.Error as error:
        raise UsageError(f"{target} cannot be written: {str(error).splitlines()[0]}") from error
