"""Reads a trace into a database and computes all layers of `sql/` there."""

from collections.abc import Callable
from pathlib import Path

import duckdb

from gapfinder import causes, claims, layers
from gapfinder.checks import check_window, check_work
from gapfinder.config import Config
from gapfinder.estimate import Estimate
from gapfinder.ingest.load import LOCKED, NO_VARIABLES, load
from gapfinder.ingest.part import Part
from gapfinder.ingest.source import opened
from gapfinder.interrupting import interruptible
from gapfinder.options import Options

# Row estimates of these views are far off: a nested loop where 64 rows are expected and a million come takes a minute.
# Giving back at once what a dropped table took, from 3 MB on, spares 30 to 60 MB of 540 on a trace of a million kernels.
SETTINGS = (
    "preserve_insertion_order = false",
    "asof_loop_join_threshold = 0",
    "allocator_bulk_deallocation_flush_threshold = '3MB'",
)
# DuckDB deals tables out to its threads by so many rows. Where there are fewer, waking the others takes 10 % of the time.
ROW_GROUP_ROWS = 122_880
# What goes on in each layer, and the share of the time that is over when it begins: a trace of a million kernels.
DOING = {
    "1_source": ("laying out the timeline", 0.35),
    "2_timeline": ("laying out the timeline", 0.35),
    "3_gaps": ("finding gaps", 0.53),
    causes.LAYER: ("finding causes", 0.82),
    "5_ledger": ("computing the ledger", 0.82),
    "6_replay": ("computing the ledger", 0.97),
}


@interruptible()
def analyse(
    connection: duckdb.DuckDBPyConnection,
    path: Path,
    options: Options,
    config: Config,
    progress: Callable[[str], None],
    *,
    comments: bool = False,
    unsafe: bool = False,
    to_keep: bool = False,
) -> set[str]:
    """Fill an empty database with a trace and its layers up to the names; returns the names of the export's tables that it has.

    `progress` is told what goes on; with `comments` the database says of each relation and column what it means; with `unsafe`
    files and the network stay open to SQL; with `to_keep` all of the trace is read, whatever the window, and of its strings and
    payloads only what `sql/kept.sql` keeps is there for the layers. Raises TraceError where the trace is unusable, UsageError
    where the options or the user's own causes do not fit it.
    """
    for setting in SETTINGS:
        connection.execute(f"SET GLOBAL {setting}")
    own = claims.parsed(connection, config.cause_files)
    estimate = Estimate(progress)
    with opened(path, progress) as source:
        progress("reading the trace")
        part = None if to_keep else Part.of(options.window)
        rows = load(connection, source, path, part=part)
    if to_keep:
        connection.execute((layers.folder() / "kept.sql").read_text())
    tables = set(rows)
    if sum(rows.values()) < ROW_GROUP_ROWS:
        connection.execute("SET GLOBAL threads = 1")
    for setting in (NO_VARIABLES,) if unsafe else LOCKED:
        connection.execute(f"SET GLOBAL {setting}")
    connection.execute(f"CREATE SCHEMA {layers.SCHEMA}; SET schema = '{layers.SCHEMA}'")
    for layer in layers.computed():
        estimate.tell(*DOING[layer])
        if layer == causes.LAYER:
            claims.define(connection, own, comments=comments)
        else:
            layers.run_together(connection, layer, comments=comments)
        if layer == "1_source":
            if not part:
                check_work(connection, path, tables)
            _choose(connection, options, config)
        elif layer == "2_timeline":
            check_window(connection, path, options)
    return tables


def _choose(connection: duckdb.DuckDBPyConnection, options: Options, config: Config) -> None:
    choices = list(options.choices().values())
    connection.execute(f"INSERT INTO choices VALUES ({', '.join('?' * len(choices))})", choices)
    patterns = "SELECT cause, unnest(patterns) FROM (SELECT unnest($1) AS cause, unnest($2) AS patterns)"
    connection.execute(f"INSERT INTO name_patterns {patterns}", [[*config.patterns], [*config.patterns.values()]])
