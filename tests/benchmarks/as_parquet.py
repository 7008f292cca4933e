"""Copies an SQLite export into a folder of Parquet files, one for each table, as `nsys export --type=parquetdir` does.

    python tests/benchmarks/as_parquet.py TRACE.sqlite FOLDER

nsys 2025.3 compresses as DuckDB does, and writes row groups of 1,048,576 rows.
"""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import duckdb
from adbc_driver_manager import AdbcConnection, AdbcStatement
from adbc_driver_sqlite import connect

ROW_GROUP_ROWS = 1_048_576


def main(trace, folder):
    folder.mkdir()
    with closing(sqlite3.connect(trace)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    with connect(str(trace)) as database, AdbcConnection(database) as connection, duckdb.connect() as writer:
        for table in tables:
            with AdbcStatement(connection) as statement:
                statement.set_sql_query(f'SELECT * FROM "{table}"')
                rows, _ = statement.execute_query()  # noqa: RUF059  DuckDB finds it by its name
                writer.execute(f"COPY (FROM rows) TO '{folder / table}.parquet' (ROW_GROUP_SIZE {ROW_GROUP_ROWS})")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
