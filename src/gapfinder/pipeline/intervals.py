"""Merges, flattens, cuts and looks up intervals in sorted arrays. The macros of `sql/trace/00_intervals` document each."""

from bisect import insort
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Columns = dict[str, Array]
INTERVALS, POINTS = ("id", "track", "start_ns", "end_ns"), ("id", "track", "at_ns")
FIRST_NS, LAST_NS = np.iinfo(np.int64).min, np.iinfo(np.int64).max
NOWHERE = -1  # stands for a track that is NULL; ids of threads, processes and GPUs are not negative


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


def covered(pieces: Columns, intervals: Columns) -> Columns:
    """The macro `covered`, on columns: INTERVALS of both."""
    parts = intersect_tiles(pieces, cover(intervals))
    ids, place = np.unique(parts["id"], return_inverse=True)
    part_ns = parts["end_ns"] - parts["start_ns"]
    length_ns, covered_ns = np.zeros(len(ids), np.int64), np.zeros(len(ids), np.int64)
    np.add.at(length_ns, place, part_ns)
    np.add.at(covered_ns, place, np.where(np.ma.getmaskarray(parts["tile_id"]), 0, part_ns))
    return {"id": ids, "length_ns": length_ns, "covered_ns": covered_ns}


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
