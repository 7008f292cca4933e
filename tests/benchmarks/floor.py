"""Measures the lower bound: the time in which SQLite alone reads the columns that gapfinder reads. No reader can be faster.

    python tests/benchmarks/floor.py TRACE.sqlite

prints seconds. Each table is read once, with the columns that gapfinder reads. Each column goes through an aggregate, so that
every value is decoded, but no value leaves SQLite. A loop in C that fetches the values takes as long (0.57 and 0.60 s for a
million kernels).
"""

import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

import duckdb

from gapfinder.ingest.nsys.load import declaration, export_tables


def main(path):
    with closing(sqlite3.connect(f"{Path(path).resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        queries = selects(connection)
        begin = time.perf_counter()
        for query in queries:
            connection.execute(query).fetchall()
        print(f"{time.perf_counter() - begin:.4f}")


def selects(connection):
    """One query for each table of the export that gapfinder reads."""
    queries = []
    for table, columns in columns_read().items():
        existing = {row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')}  # empty without the table
        values = ", ".join(f'max("{column}")' for column in columns if column in existing)
        if values:
            queries.append(f'SELECT {values} FROM "{table}"')
    return queries


def columns_read():
    """The columns that gapfinder reads, by table."""
    with duckdb.connect() as connection:
        connection.execute(declaration())
        return {table: connection.table(f'export."{table}"').columns for table in export_tables()}


if __name__ == "__main__":
    main(sys.argv[1])
