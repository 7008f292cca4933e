"""Runs one SQL statement of the user."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import count

import duckdb
import polars as pl

from gapfinder.errors import UsageError
from gapfinder.query.statements import check_reads, message, quoted, split
from gapfinder.query.types import has_odd_dates, held, value_checks
from gapfinder.system.arrow import Stream, StreamError, batches
from gapfinder.system.ending import working
from gapfinder.system.interrupting import interruptible, result_of
from gapfinder.system.memory import LOOK_EVERY_S, MemoryWatch
from gapfinder.system.room import lacks_room
from gapfinder.system.workers import workers

PIECE_BYTES = 4_000_000  # of a result that are written at once
# A text takes so many times its size while it is written: JSON needs up to six bytes for a character, and there are four copies.
WRITTEN_GROWS = 24


def run(
    connection: duckdb.DuckDBPyConnection,
    query: str,
    *,
    unsafe: bool,
    limit_bytes: int | None = None,
    relations: Iterable[str] = (),
) -> Iterator[pl.DataFrame]:
    """The result of the one statement in `query`, in one or more parts. Closes the connection.

    Sums have 128 bits in DuckDB: they become 64-bit integers if they fit, else floats, as all decimals do. Columns of the same
    name get numbers: name, name_1. Without `unsafe`, only statements that read the relations are run. Raises UsageError, also
    where the process gets larger than `limit_bytes`. The error about a relation that does not exist names the nearest of
    `relations`.
    """
    statements = split(query)
    if len(statements) != 1:
        raise UsageError(f"expected one statement, and found {len(statements)}: run them one by one")

    watch = MemoryWatch(limit_bytes)
    try:
        with interruptible():
            if not unsafe:
                check_reads(connection, statements[0])
                connection.execute("BEGIN TRANSACTION READ ONLY")
        parts = _parts(connection, statements[0])

        def next_part() -> pl.DataFrame | None:
            with working(connection):
                return next(parts, None)

        # Ctrl-C does not reach polars, which fetches the rows
        with workers(1, [connection], watch.is_far_exceeded) as pool:
            while (part := result_of(pool.submit(next_part), watch.check, LOOK_EVERY_S)) is not None:
                for rows in _pieces(part):
                    watch.check(int(rows.estimated_size()) * WRITTEN_GROWS if len(rows) == 1 else 0)
                    yield rows
    except (duckdb.Error, StreamError) as error:
        remedy = ": raise --memory-limit, or set TMPDIR to a folder with more free space" if lacks_room(error) else ""
        raise UsageError(message(error, relations) + remedy) from error
    finally:
        connection.close()


def _pieces(part: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """The rows in pieces of `PIECE_BYTES`, or of one row."""
    pieces = max(1, round(part.estimated_size() / PIECE_BYTES))
    yield from part.iter_slices(max(1, len(part) // pieces)) if len(part) else (part,)


def _parts(connection: duckdb.DuckDBPyConnection, statement: str) -> Iterator[pl.DataFrame]:
    """The rows. If they are more than one part, a first query over all of them says how values are held."""
    result = connection.sql(statement)
    parts = _fetched(result, [held(kind, dates=True) for kind in result.types])
    first = next(parts, None)
    if first is not None and next(parts, None) is None:
        if has_odd_dates(first):
            (first,) = _fetched(connection.sql(statement), [held(kind, dates=False) for kind in result.types])
        yield first.with_columns(
            _without_decimals(column) for column in first.iter_columns() if isinstance(column.dtype, pl.Decimal)
        )
        return
    del parts
    wanted = [value_checks(number, kind) for number, kind in enumerate(result.types, 1)]
    checks = [check for found in wanted for check in found.values()]
    fits = iter(connection.sql(statement).aggregate(", ".join(checks)).fetchall()[0])
    chosen = [next(kind for kind, fitting in [(kind, next(fits)) for kind in found] if fitting) for found in wanted]
    if first is None:
        yield pl.DataFrame(Stream(_projected(connection.sql(statement), chosen)))
    else:
        yield from _fetched(connection.sql(statement), chosen)


def _fetched(result: duckdb.DuckDBPyRelation, types: list[str]) -> Iterator[pl.DataFrame]:
    """The rows in parts, with columns of these types."""
    for batch in batches(_projected(result, types)):
        yield pl.DataFrame(batch)


def _projected(result: duckdb.DuckDBPyRelation, types: list[str]) -> duckdb.DuckDBPyRelation:
    names = _unique(result.columns)
    kinds = [*map(str, result.types)]
    if names == result.columns and kinds == types:
        return result
    return result.project(
        ", ".join(
            f"{f'#{number}' if kind == wanted else f'CAST(#{number} AS {wanted})'} AS {quoted(name)}"
            for number, (name, kind, wanted) in enumerate(zip(names, kinds, types, strict=True), 1)
        )
    )


def _unique(names: list[str]) -> list[str]:
    """The names, with a number after each name that was there before."""
    taken, seen, numbers = {*names}, set[str](), defaultdict[str, Iterator[int]](lambda: count(1))

    def unique(name: str) -> str:
        if name not in seen:
            seen.add(name)
            return name
        new = next(new for number in numbers[name] if (new := f"{name}_{number}") not in taken)
        taken.add(new)
        return new

    return [*map(unique, names)]


def _without_decimals(column: pl.Series) -> pl.Series:
    """A column of decimals as integers if all of them are, else as floats."""
    whole = isinstance(column.dtype, pl.Decimal) and column.dtype.scale == 0
    integers = column.cast(pl.Int64, strict=False)
    return integers if whole and integers.null_count() == column.null_count() else column.cast(pl.Float64)
