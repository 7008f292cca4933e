"""How long SQLite itself takes to read what gapfinder reads of an export: what no reader of the file can be faster than.

    python tests/benchmarks/floor.py TRACE.sqlite

prints seconds. Each table is read once, as gapfinder reads it: the same columns, each of which goes through an aggregate, so that
every value is decoded and none leaves SQLite. A loop in C that fetches the values takes as long (0.57 and 0.60 s for a million
kernels).
"""

import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

import duckdb

from gapfinder import layers


def main(path):
    with closing(sqlite3.connect(f"{Path(path).resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        queries = selects(connection)
        begin = time.perf_counter()
        for query in queries:
            connection.execute(query).fetchall()
        print(f"{time.perf_counter() - begin:.4f}")


def selects(connection):
    """One query for each table of the export that gapfinder reads."""
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    found = []
    for table, read in wanted().items():
        if table in tables:
            there = {row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')}
            values = ", ".join(f'max("{column}")' for column in read if column in there)
            found.append(f'SELECT {values} FROM "{table}"')
    return found


def wanted():
    """The columns that gapfinder reads, by table."""
    with duckdb.connect() as connection:
        layers.run(connection, "0_export")
        rows = connection.execute("SELECT table_name, column_name FROM duckdb_columns() WHERE schema_name = 'export'").fetchall()
        views = {name for (name,) in connection.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall()}
    found = {}
    for table, column in rows:
        if table not in views:
            found.setdefault(table, []).append(column)
    return found


if __name__ == "__main__":
    main(sys.argv[1])
