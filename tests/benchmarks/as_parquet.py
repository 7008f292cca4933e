"""Copies an SQLite export into a folder of Parquet files, one for each table, as `nsys export --type=parquetdir` makes it.

    python tests/benchmarks/as_parquet.py TRACE.sqlite FOLDER

nsys 2023.4 writes row groups of 2,048 rows, each column with a dictionary, and compresses nothing.
"""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import duckdb
from adbc_driver_manager import AdbcConnection, AdbcStatement
from adbc_driver_sqlite import connect

LAYOUT = "ROW_GROUP_SIZE 2048, COMPRESSION uncompressed, DICTIONARY_SIZE_LIMIT 2048, WRITE_BLOOM_FILTER false"


def main(trace, folder):
    folder.mkdir()
    with closing(sqlite3.connect(trace)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    with connect(str(trace)) as database, AdbcConnection(database) as connection, duckdb.connect() as writer:
        for table in tables:
            with AdbcStatement(connection) as statement:
                statement.set_options(**{"adbc.sqlite.query.batch_rows": "32768"})  # whole row groups
                statement.set_sql_query(f'SELECT * FROM "{table}"')
                rows, _ = statement.execute_query()  # noqa: RUF059  DuckDB finds it by its name
                writer.execute(f"COPY (FROM rows) TO '{folder / table}.parquet' ({LAYOUT})")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
