"""Computes the interval macros that an SQL statement calls, just before it runs, and stores their results for it."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import duckdb
import numpy as np

from gapfinder.errors import UsageError, first_line
from gapfinder.pipeline.intervals import (
    FIRST_NS,
    INTERVALS,
    NOWHERE,
    POINTS,
    Columns,
    cover,
    covered,
    flatten,
    intersect_tiles,
    tile_at,
)
from gapfinder.query.statements import without_comments

# How many intervals are cut or looked up at once. Their arrays take 40 MB, in addition to DuckDB's memory; more is not faster.
AT_ONCE = 1 << 18
FEW_TRACKS = 64  # so many are named in a query
NEEDED = {"intersect_tiles": INTERVALS, "covered": INTERVALS, "tile_at": POINTS}
WHOLE: dict[str, Callable[[Columns], Columns]] = {"flatten": flatten, "cover": cover}
IN_PARTS: dict[str, Callable[[Columns, Columns], Columns]] = {
    "intersect_tiles": intersect_tiles,
    "covered": covered,
    "tile_at": tile_at,
}
CALL = re.compile(rf"\b({'|'.join((*WHOLE, *IN_PARTS))})\s*\(\s*'([\w.]+)'\s*(?:,\s*'([\w.]+)'\s*)?\)", re.IGNORECASE)


@contextmanager
def computed(cursor: duckdb.DuckDBPyConnection, statement: str) -> Iterator[None]:
    """A context in which the cursor has the results of all interval macros that a statement calls."""
    answers = compute(cursor, statement)
    try:
        yield
    finally:
        for name, stored in answers.items():
            if stored:
                cursor.execute(f'DROP TABLE temp."{name}"')
            else:
                cursor.unregister(name)


def compute(cursor: duckdb.DuckDBPyConnection, statement: str) -> dict[str, bool]:
    """Compute the results of all interval macros that a statement calls, and make them known to the cursor.

    Returns the names under which the macros look for them, and for each whether it is a temporary table or a registered object.
    """
    stored = {}
    calls = CALL.findall(without_comments(statement)) if CALL.search(statement) else []
    for macro, first, second in sorted({(macro.lower(), first, second) for macro, first, second in calls}):
        if macro in WHOLE:
            name = f"{macro}({first})"
            cursor.register(name, WHOLE[macro](_read(cursor, first, INTERVALS)))
            stored[name] = False
            continue
        name = f"{macro}({first}, {second})"
        pieces = _read(cursor, first, NEEDED[macro], most=AT_ONCE + 1)
        stored[name] = len(pieces["id"]) > AT_ONCE
        if stored[name]:
            del pieces
            _store_in_parts(cursor, name, IN_PARTS[macro], (first, NEEDED[macro]), second)
        else:
            tiles = _read(cursor, second, INTERVALS, _overlapping(pieces))
            cursor.register(name, IN_PARTS[macro](pieces, tiles))
    return stored


def _store_in_parts(
    cursor: duckdb.DuckDBPyConnection,
    name: str,
    macro: Callable[[Columns, Columns], Columns],
    first: tuple[str, tuple[str, ...]],
    second: str,
) -> None:
    """Compute a long result in parts, and store them as a temporary table, which DuckDB can move to disk."""
    with _stored(cursor, *first) as pieces, _stored(cursor, second, INTERVALS) as tiles:
        every_tile = tiles.where("true") if tiles.rows <= AT_ONCE else None
        for number, part in enumerate(pieces.parts()):
            cursor.register("part", macro(part, every_tile or tiles.where(_overlapping(part))))
            cursor.execute(f'INSERT INTO temp."{name}" FROM part' if number else f'CREATE TEMP TABLE "{name}" AS FROM part')
            cursor.unregister("part")


def _overlapping(part: Columns) -> str:
    """The condition for the tiles that overlap any of the pieces or points."""
    if not len(part["id"]):
        return "false"
    starts, ends = ("start_ns", "end_ns") if "start_ns" in part else ("at_ns", "at_ns")
    tracks = np.unique(part["track"])
    on_them = f" AND track IN ({', '.join(map(str, tracks.tolist()))})" if len(tracks) <= FEW_TRACKS else ""
    return f"end_ns > {part[starts].min()} AND start_ns <= {part[ends].max()}{on_them}"


def _read(
    cursor: duckdb.DuckDBPyConnection, relation: str, needed: tuple[str, ...], condition: str = "true", most: int | None = None
) -> Columns:
    """The rows of a relation for which a condition holds, at most so many.

    Raises UsageError like `_run`, or if it lacks a required column.
    """
    limit = f" LIMIT {most}" if most else ""
    rows = _run(cursor, f"{_selected(relation, needed)} AND {condition}{limit}", needed).fetchnumpy()
    return _checked(rows, relation, needed)


def _selected(relation: str, needed: tuple[str, ...]) -> str:
    """The query for the points, or for the intervals that are longer than 0, with their precedence if they have one."""
    some = "end_ns > start_ns" if "end_ns" in needed else "true"
    return f"SELECT COLUMNS('^({'|'.join((*needed, 'precedence'))})$') FROM {relation} WHERE {some}"


def _run(cursor: duckdb.DuckDBPyConnection, statement: str, needed: tuple[str, ...]) -> duckdb.DuckDBPyConnection:
    """Run a statement on a relation. Raises UsageError if the relation does not hold intervals."""
    try:
        return cursor.execute(statement)
    except (duckdb.CatalogException, duckdb.BinderException, duckdb.ParserException) as error:
        why = first_line(error)
        raise UsageError(f"{why} Intervals are read from a relation of the trace with {', '.join(needed)}.") from error


def _checked(columns: Columns, relation: str, needed: tuple[str, ...]) -> Columns:
    """The columns, with a number in place of NULL. Raises UsageError if a required one is missing or not of whole numbers."""
    if unfit := [name for name in needed if name not in columns or not _is_whole(columns[name].dtype)]:
        raise UsageError(f"{relation} has no column {unfit[0]} of whole numbers: intervals are read from {', '.join(needed)}")
    return {name: np.ma.filled(values, FIRST_NS if name == "at_ns" else NOWHERE) for name, values in columns.items()}


def _is_whole(kind: np.dtype[Any]) -> bool:
    return np.issubdtype(kind, np.integer) and np.can_cast(kind, np.int64)


@dataclass(frozen=True)
class _Stored:
    """The result of `_read` in a temporary table, to be read in parts."""

    cursor: duckdb.DuckDBPyConnection
    relation: str
    needed: tuple[str, ...]
    table: str
    rows: int

    def parts(self) -> Iterator[Columns]:
        for start in range(0, self.rows, AT_ONCE):
            yield self.where(f"rowid BETWEEN {start} AND {start + AT_ONCE - 1}")

    def where(self, condition: str) -> Columns:
        rows = self.cursor.execute(f'FROM temp."{self.table}" WHERE {condition}').fetchnumpy()
        return _checked(rows, self.relation, self.needed)


@contextmanager
def _stored(cursor: duckdb.DuckDBPyConnection, relation: str, needed: tuple[str, ...]) -> Iterator[_Stored]:
    """Store a relation. Raises UsageError like `_run`."""
    table = f"rows of {relation}"
    created = _run(cursor, f'CREATE OR REPLACE TEMP TABLE "{table}" AS {_selected(relation, needed)}', needed)
    try:
        yield _Stored(cursor, relation, needed, table, created.fetchall()[0][0])
    finally:
        cursor.execute(f'DROP TABLE temp."{table}"')
