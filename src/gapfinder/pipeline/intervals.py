"""Merges, flattens, cuts and looks up intervals, for all SQL that needs it.

SQL calls the macros of `sql/trace/00_intervals`, which document the arguments and results. Each result is computed here, on
sorted arrays, just before the statement that needs it runs.
"""

import re
from bisect import insort
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt

from gapfinder.errors import UsageError

Array = npt.NDArray[Any]
Columns = dict[str, Array]
INTERVALS, POINTS = ("id", "track", "start_ns", "end_ns"), ("id", "track", "at_ns")
FIRST_NS, LAST_NS = np.iinfo(np.int64).min, np.iinfo(np.int64).max
NOWHERE = -1  # stands for a track that is NULL; ids of threads, processes and GPUs are not negative
# How many intervals are cut or looked up at once. Their arrays take 40 MB, in addition to DuckDB's memory; more is not faster.
AT_ONCE = 1 << 18
FEW_TRACKS = 64  # so many are named in a query


def flatten(events: Columns) -> Columns:
    """The macro `flatten`, on columns: INTERVALS, and perhaps precedence."""
    precedence = events.get("precedence", np.zeros(len(events["id"]), np.int8))
    order = np.lexsort((events["id"], -events["end_ns"], events["start_ns"], precedence, events["track"]))
    events = _taken({name: events[name] for name in INTERVALS}, order)
    return _joined(
        ("track", "start_ns", "end_ns", "id"),
        (_flat(track, _taken(events, own)) for track, own in _tracks(events["track"]).items()),
    )


def _flat(track: int, events: Columns) -> tuple[Array, ...]:
    """The tiles of one track. Where intervals overlap, the last one in `events` counts."""
    many = len(events["id"])
    boundary_ns = np.concatenate((events["end_ns"], events["start_ns"]))
    order = np.argsort(boundary_ns, kind="stable")
    innermost = np.empty(2 * many, np.int64)
    opened: list[int] = []  # indices of open intervals, in order; an interval that has ended is removed only once it is the last
    ended = bytearray(many)
    for boundary, place in enumerate(order.tolist()):
        if place >= many:
            insort(opened, place - many)
        else:
            ended[place] = 1
        while opened and ended[opened[-1]]:
            opened.pop()
        innermost[boundary] = opened[-1] if opened else -1
    at_ns = boundary_ns[order]
    settled = np.append(at_ns[1:] > at_ns[:-1], True)  # the last boundary at its time
    at_ns, innermost = at_ns[settled], innermost[settled]
    changed = np.append(True, innermost[1:] != innermost[:-1])
    at_ns, innermost = at_ns[changed], innermost[changed]
    tile = innermost[:-1]
    return np.full(len(tile), track), at_ns[:-1], at_ns[1:], np.ma.masked_array(events["id"][tile], tile < 0)


def intersect_tiles(pieces: Columns, tiles: Columns) -> Columns:
    """The macro `intersect_tiles`, on columns: INTERVALS of both."""
    pieces = _by_track(pieces)
    under = _on_track(tiles)
    return _joined(
        ("id", "track", "start_ns", "end_ns", "tile_id"),
        (_cut(_taken(pieces, own), under(track)) for track, own in _tracks(pieces["track"]).items()),
    )


def _cut(pieces: Columns, tiles: Columns) -> tuple[Array, ...]:
    """The parts of the pieces of one track."""
    # a cell is the time from one edge to the next: a tile, or the time between two tiles
    edges = np.concatenate(([FIRST_NS], np.stack((tiles["start_ns"], tiles["end_ns"]), axis=1).ravel(), [LAST_NS]))
    first = np.searchsorted(edges, pieces["start_ns"], "right") - 1
    cells = np.searchsorted(edges, pieces["end_ns"], "left") - first
    piece = np.repeat(np.arange(len(cells)), cells)
    cell = np.arange(len(piece)) + np.repeat(first - np.cumsum(cells) + cells, cells)
    start_ns = np.maximum(edges[cell], pieces["start_ns"][piece])
    end_ns = np.minimum(edges[cell + 1], pieces["end_ns"][piece])
    some = end_ns > start_ns  # no time lies between two tiles that touch
    between = cell[some] % 2 == 0
    ids = np.append(tiles["id"], 0)  # so that there is an element even if all are masked
    tile_id = np.ma.masked_array(ids[np.where(between, -1, cell[some] // 2)], between)
    piece = piece[some]
    return pieces["id"][piece], np.ma.masked_equal(pieces["track"][piece], NOWHERE), start_ns[some], end_ns[some], tile_id


def tile_at(points: Columns, tiles: Columns) -> Columns:
    """The macro `tile_at`, on columns: id, track and at_ns of points, INTERVALS of tiles."""
    points = _by_track(points)
    under = _on_track(tiles)
    return _joined(
        ("id", "tile_id"),
        (_looked_up(_taken(points, own), under(track)) for track, own in _tracks(points["track"]).items()),
    )


def _looked_up(points: Columns, tiles: Columns) -> tuple[Array, ...]:
    """The tile of each point of one track."""
    place = np.searchsorted(tiles["start_ns"], points["at_ns"], "right") - 1
    outside = place < 0
    outside[~outside] = tiles["end_ns"][place[~outside]] <= points["at_ns"][~outside]
    return points["id"], np.ma.masked_array(np.append(tiles["id"], 0)[place], outside)


def cover(intervals: Columns) -> Columns:
    """The macro `cover`, on columns: INTERVALS."""
    intervals = _in_order(intervals)
    found = _joined(
        ("track", "start_ns", "end_ns"),
        (_covered(track, _taken(intervals, own)) for track, own in _tracks(intervals["track"]).items()),
    )
    return {"id": np.arange(len(found["track"])), **found}


def _covered(track: int, intervals: Columns) -> tuple[Array, ...]:
    """The time that any interval of one track covers."""
    reached_ns = np.maximum.accumulate(intervals["end_ns"])
    begins = np.append(True, intervals["start_ns"][1:] > reached_ns[:-1])
    ends = np.append(begins[1:], True)
    return np.full(begins.sum(), track), intervals["start_ns"][begins], reached_ns[ends]


def _on_track(tiles: Columns) -> Callable[[int], Columns]:
    """The tiles of a track, in order."""
    tiles = _in_order(tiles)
    tracks = _tracks(tiles["track"])
    return lambda track: _taken(tiles, tracks.get(track, slice(0)))


def _in_order(intervals: Columns) -> Columns:
    return _taken(intervals, np.lexsort((intervals["start_ns"], intervals["track"])))


def _by_track(columns: Columns) -> Columns:
    track = columns["track"]
    return columns if (track[1:] >= track[:-1]).all() else _taken(columns, np.argsort(track, kind="stable"))


def _taken(columns: Columns, places: Array | slice) -> Columns:
    return {name: values[places] for name, values in columns.items()}


def _tracks(track: Array) -> dict[int, slice]:
    """Where the rows of each track are. They are sorted by track."""
    edges = [0, *(np.flatnonzero(track[1:] != track[:-1]) + 1).tolist(), len(track)]
    return {int(track[start]): slice(start, end) for start, end in pairwise(edges) if end > start}


def _joined(names: tuple[str, ...], parts: Iterator[tuple[Array, ...]]) -> Columns:
    """The columns of all tracks as one."""
    columns = list(zip(*parts, strict=True)) or [(np.empty(0, np.int64),)] * len(names)
    joined = {name: np.ma.concatenate(column) for name, column in zip(names, columns, strict=True)}  # type: ignore[no-untyped-call]
    return {name: column if np.ma.is_masked(column) else column.data for name, column in joined.items()}


NEEDED = {"intersect_tiles": INTERVALS, "tile_at": POINTS}
WHOLE: dict[str, Callable[[Columns], Columns]] = {"flatten": flatten, "cover": cover}
IN_PARTS: dict[str, Callable[[Columns, Columns], Columns]] = {"intersect_tiles": intersect_tiles, "tile_at": tile_at}
CALL = re.compile(rf"\b({'|'.join((*WHOLE, *IN_PARTS))})\('([\w.]+)'(?:, '([\w.]+)')?\)")


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
    for macro, first, second in sorted(set(CALL.findall(statement))):
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
        every_tile = tiles.all() if tiles.rows <= AT_ONCE else None
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
    except (duckdb.CatalogException, duckdb.BinderException) as error:
        why = str(error).splitlines()[0]
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

    def all(self) -> Columns:
        return self.where("true")

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
