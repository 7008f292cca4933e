"""Runs one SQL statement of the user."""

from concurrent.futures import ThreadPoolExecutor
from itertools import count

import duckdb
import polars as pl

from gapfinder.errors import UsageError
from gapfinder.query.statements import check_reads, message, quoted, split
from gapfinder.query.types import has_odd_dates, held
from gapfinder.system.arrow import Stream
from gapfinder.system.interrupting import interrupting, result_of


def run(connection: duckdb.DuckDBPyConnection, query: str, *, unsafe: bool) -> pl.DataFrame:
    """The result of the one statement in `query`. Closes the connection.

    Sums have 128 bits in DuckDB: they become 64-bit integers if they fit, else floats, as all decimals do. Columns of the same
    name get numbers: name, name_1. Without `unsafe`, only statements that read the relations are run. Raises UsageError.
    """
    statements = split(query)
    if len(statements) != 1:
        raise UsageError(f"expected one statement, and found {len(statements)}: run them one by one")
    try:
        if not unsafe:
            check_reads(connection, statements[0])
            connection.execute("BEGIN TRANSACTION READ ONLY")
        with (
            ThreadPoolExecutor(1) as pool,
            interrupting(pool, [connection]),
        ):  # Ctrl-C does not reach polars, which fetches the rows
            return result_of(pool.submit(_frame, connection, statements[0]))
    except duckdb.Error as error:
        raise UsageError(message(error)) from error
    finally:
        connection.close()


def _frame(connection: duckdb.DuckDBPyConnection, statement: str) -> pl.DataFrame:
    frame = _fetched(connection.sql(statement), dates=True)
    if has_odd_dates(frame):
        frame = _fetched(connection.sql(statement), dates=False)
    return frame.with_columns(
        _without_decimals(column) for column in frame.iter_columns() if isinstance(column.dtype, pl.Decimal)
    )


def _fetched(result: duckdb.DuckDBPyRelation, *, dates: bool) -> pl.DataFrame:
    """The rows; with `dates`, dates and times are such, else text."""
    names = _unique(result.columns)
    types = [(str(kind), held(kind, dates=dates)) for kind in result.types]
    if names != result.columns or any(kind != wanted for kind, wanted in types):
        result = result.project(
            ", ".join(
                f"{f'#{number}' if kind == wanted else f'CAST(#{number} AS {wanted})'} AS {quoted(name)}"
                for number, (name, (kind, wanted)) in enumerate(zip(names, types, strict=True), 1)
            )
        )
    return pl.DataFrame(Stream(result))


def _unique(names: list[str]) -> list[str]:
    """The names, with a number after each name that was there before."""
    unique: list[str] = []
    for index, name in enumerate(names):
        taken = {*unique, *names[index + 1 :]} if name in unique else set()
        numbered = (f"{name}_{number}" for number in count(1))
        unique.append(next(new for new in numbered if new not in taken) if taken else name)
    return unique


def _without_decimals(column: pl.Series) -> pl.Series:
    """A column of decimals as integers if all of them are, else as floats."""
    whole = isinstance(column.dtype, pl.Decimal) and column.dtype.scale == 0
    integers = column.cast(pl.Int64, strict=False)
    return integers if whole and integers.null_count() == column.null_count() else column.cast(pl.Float64)
