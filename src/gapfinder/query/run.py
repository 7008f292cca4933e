"""Runs one statement of the user's on a trace."""

from concurrent.futures import ThreadPoolExecutor
from itertools import count

import duckdb
import polars as pl

from gapfinder.errors import UsageError
from gapfinder.query.statements import check_reads, message, split
from gapfinder.system.arrow import Stream
from gapfinder.system.interrupting import interrupting

# What polars has no type for comes as text.
AS_TEXT = {"INTERVAL", "UHUGEINT", "BIT", "BIGNUM"}


def run(connection: duckdb.DuckDBPyConnection, query: str, *, unsafe: bool) -> pl.DataFrame:
    """The result of one statement, on a connection that is its own and that it closes.

    Integers of 128 bits, as sums are, become 64 bits wide where they fit, and else floats, as other decimals do. Columns of
    the same name are told apart: name, name_1. Unless `unsafe`, only what reads the trace is run. Raises UsageError.
    """
    statements = split(query)
    if len(statements) != 1:
        raise UsageError(f"expected one statement, and found {len(statements)}: run them one by one")
    try:
        if not unsafe:
            check_reads(connection, statements[0])
            connection.execute("BEGIN TRANSACTION READ ONLY")
        with ThreadPoolExecutor(1) as pool, interrupting(pool, [connection]):  # polars, which pulls, hears of no Ctrl-C
            return pool.submit(_frame, connection.sql(statements[0])).result()
    except duckdb.Error as error:
        raise UsageError(message(error)) from error
    finally:
        connection.close()


def _frame(result: duckdb.DuckDBPyRelation) -> pl.DataFrame:
    names = _told_apart(result.columns)
    types = [str(kind) for kind in result.types]
    if names != result.columns or AS_TEXT & set(types):
        columns = (
            f"{f'CAST(#{place} AS VARCHAR)' if kind in AS_TEXT else f'#{place}'} AS {_quoted(name)}"
            for place, (name, kind) in enumerate(zip(names, types, strict=True), 1)
        )
        result = result.project(", ".join(columns))
    frame = pl.DataFrame(Stream(result))
    return frame.with_columns(_plain(column) for column in frame.iter_columns() if isinstance(column.dtype, pl.Decimal))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _told_apart(names: list[str]) -> list[str]:
    found: list[str] = []
    for place, name in enumerate(names):
        others = {*found, *names[place + 1 :]} if name in found else set()
        numbered = (f"{name}_{number}" for number in count(1))
        found.append(next(new for new in numbered if new not in others) if others else name)
    return found


def _plain(column: pl.Series) -> pl.Series:
    whole = isinstance(column.dtype, pl.Decimal) and column.dtype.scale == 0
    integers = column.cast(pl.Int64, strict=False)
    return integers if whole and integers.null_count() == column.null_count() else column.cast(pl.Float64)
