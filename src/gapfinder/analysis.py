"""One trace with all its layers computed: what every command and renderer starts from."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from gapfinder import layers
from gapfinder.causes import gather_claims
from gapfinder.checks import check_window, check_work
from gapfinder.options import Options
from gapfinder.trace.load import load
from gapfinder.trace.source import opened

if TYPE_CHECKING:
    import polars as pl

# Row estimates of these views are far off: a nested loop where 64 rows are expected and a million come takes a minute.
# Giving memory back in the background saves 5 % of the time on a trace of a million kernels.
SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "preserve_insertion_order": False,
    "asof_loop_join_threshold": 0,
    "allocator_background_threads": True,
}


class Analysis:
    """The layers of one trace.

    `connection` answers SELECTs on every view of `sql/`; `tables` names the tables that the trace has.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, path: Path, options: Options, tables: set[str]) -> None:
        self.connection = connection
        self.path = path
        self.options = options
        self.tables = tables

    def rows(self, query: str) -> list[dict[str, Any]]:
        """Rows of a `SELECT … FROM view`, by column name. Several threads may ask at once."""
        cursor = self.connection.cursor().execute(query)
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def frame(self, query: str) -> "pl.DataFrame":
        """The result of a `SELECT … FROM view` as a polars frame, with the view's columns."""
        import polars as pl

        return pl.DataFrame(self.connection.cursor().sql(query))


@contextmanager
def analyse(path: Path, options: Options, patterns: dict[str, list[str]], progress: Callable[[str], None]) -> Iterator[Analysis]:
    """Read a trace and compute its layers.

    `patterns` are names of NVTX ranges that speak for a cause (regular expressions by cause), as from
    `read_patterns`; `progress` is told what goes on. Raises TraceError where the trace is unusable, UsageError
    where the options do not fit it.
    """
    connection = duckdb.connect(config=SETTINGS)
    try:
        with opened(path, progress) as source:
            progress("reading the trace")
            tables = load(connection, source, path)
        layers.run(connection, "1_source")
        check_work(connection, path, tables)
        connection.execute(
            f"INSERT INTO choices VALUES ({', '.join('?' * len(options.choices()))})", list(options.choices().values())
        )
        connection.executemany("INSERT INTO name_patterns VALUES ($1, $2)", [(c, p) for c, ps in patterns.items() for p in ps])
        for layer, doing in (
            ("2_timeline", "laying out the timeline"),
            ("3_gaps", "finding gaps"),
            ("4_causes", "finding causes"),
        ):
            progress(doing)
            layers.run(connection, layer)
            if layer == "2_timeline":
                check_window(connection, options)
        gather_claims(connection)
        layers.run(connection, "5_ledger")
        layers.run(connection, "6_replay")
        yield Analysis(connection, path, options, tables)
    finally:
        connection.close()
