"""Makes a long trace from a short one: lays copies of an SQLite export end to end.

    python tests/benchmarks/lay_end_to_end.py build/fixtures/launch_optimizer.sqlite million.sqlite --times 88

makes a trace of a million kernels (1,013,760) in a few seconds.
"""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import click

# Ids that belong to one event. The ids of CUDA graphs stay: a longer run launches the same graph more often.
IDS = ("correlationId", "rangeId", "eventSyncId")
NO_ID = (0, 4294967295)
NOT_COPIED = ("CUDA_GRAPH_EVENTS", "CUDA_GRAPH_NODE_EVENTS")
NVTX_DOMAIN = 75  # the type of an NVTX event that names a domain; it has no time


@click.command()
@click.argument("original", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("target", type=click.Path(path_type=Path))
@click.option("--times", type=click.IntRange(min=1), required=True, help="Number of copies in the target.")
def main(original, target, times):
    """Write ORIGINAL, laid end to end TIMES times, to TARGET. Both are SQLite exports."""
    lay_end_to_end(original, target, times)


def lay_end_to_end(original, target, times):
    """Write `times` copies. Each copy starts when the last event of the copy before it ends."""
    shutil.copyfile(original, target)
    with closing(sqlite3.connect(target, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("ATTACH ? AS original", (str(original),))
        connection.execute("CREATE TEMP TABLE copies (n INTEGER)")
        connection.executemany("INSERT INTO copies VALUES (?)", [(n,) for n in range(1, times)])
        events = event_tables(connection)
        shift_ns = span_ns(connection, events)
        shift_ids = 1 + max(greatest_id(connection, table, columns) for table, columns in events.items())
        for table, columns in events.items():
            copy_rows(connection, table, columns, shift_ns, shift_ids)
        # a redacted trace lacks this table
        if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'ANALYSIS_DETAILS'").fetchone():
            added_ns = shift_ns * (times - 1)
            connection.execute("UPDATE ANALYSIS_DETAILS SET duration = duration + ?1, stopTime = stopTime + ?1", (added_ns,))


def event_tables(connection):
    """The columns of the tables whose rows have a start and an end, by table."""
    tables = [name for (name,) in connection.execute("SELECT name FROM original.sqlite_master WHERE type = 'table'")]
    columns = {table: [row[1] for row in connection.execute(f'PRAGMA original.table_info("{table}")')] for table in tables}
    return {table: names for table, names in columns.items() if {"start", "end"} <= set(names) and table not in NOT_COPIED}


def span_ns(connection, events):
    first, last = [], []
    for table in events:
        query = f'SELECT min("start"), max(ifnull("end", "start")) FROM original."{table}" WHERE {copied(table)}'
        start_ns, end_ns = connection.execute(query).fetchone()
        if start_ns is not None:
            first.append(start_ns)
            last.append(end_ns)
    return max(last) - min(first)


def greatest_id(connection, table, columns):
    return max((greatest(connection, table, name) for name in IDS if name in columns), default=0)


def greatest(connection, table, name):
    query = f'SELECT ifnull(max("{name}"), 0) FROM original."{table}" WHERE "{name}" NOT IN {NO_ID}'
    return connection.execute(query).fetchone()[0]


def copy_rows(connection, table, columns, shift_ns, shift_ids):
    shifted = {"start": f'"start" + n * {shift_ns}', "end": f'"end" + n * {shift_ns}'}
    shifted |= {name: f'iif("{name}" IN {NO_ID}, "{name}", "{name}" + n * {shift_ids})' for name in IDS}
    values = ", ".join(shifted.get(name, f'"{name}"') for name in columns)
    # in SQLite a cross join keeps this order, so rows stay sorted by time
    query = f'SELECT {values} FROM copies CROSS JOIN original."{table}" WHERE {copied(table)}'
    connection.execute(f'INSERT INTO main."{table}" {query}')


def copied(table):
    return f"eventType <> {NVTX_DOMAIN}" if table == "NVTX_EVENTS" else "true"


if __name__ == "__main__":
    main()
