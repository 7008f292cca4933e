"""The timeline of a page in a compact form: two compressed texts, of which the page's script draws boxes.

A page has one timeline. It has one part for each trace that it shows: one on the page of a trace, several for a job or a
comparison. All times are in ns from the start of the timeline, on one clock.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from gapfinder.diagnosis.job import Arrival
from gapfinder.report.boxes import DETAILS, Boxes, Words
from gapfinder.report.columns import Numbers, packed, varints
from gapfinder.report.part import Part, Row, in_full

PLACE_TIMES = ("start_ns", "end_ns", "gap_start_ns", "gap_end_ns", "launch_ns")
LARGEST = 4_700_000  # bytes of it, so that a page stays below 6 MB


def timeline(parts: Sequence[Part], arrivals: Sequence[Arrival] = ()) -> Row:
    """The timeline of these parts, with as much of it in full as `LARGEST` allows.

    `arrivals` are on the clock of the first part.
    """
    made = _written(parts, arrivals)
    for share in (0.8, 0.6, 0.4, 0.2, 0):
        if sum(map(len, made.values())) <= LARGEST:
            break
        made = _written([part.with_less(share) for part in parts], arrivals)
    return made


def _written(parts: Sequence[Part], arrivals: Sequence[Arrival]) -> dict[str, str]:
    """The timeline as two compressed texts.

    `text` is JSON:
    - `start_ns`: the time of 0 on the clock of the first trace
    - `details`: to which boxes refer
    - `parts`
    - `tracks`: each with `levels` of [resolution in ns, number of boxes, first byte in `numbers`]
    - `arrivals`: when the first and the last rank arrived at collectives

    `numbers` has six columns for each level, one after the other:
    1. start, minus the start of the box before
    2. length
    3. index of the details
    4. number of spans that were merged, minus 1
    5. length, minus the time of these spans
    6. for lost time the number of its place, or 0

    In place of column 6, activities have three: the time from the launch to the start, plus 1 (0 without a launch); the length of
    the launch; the number of the launching thread. At the level of 0 ns, where nothing is merged, these columns alone tell of
    launches.

    In place of columns 1 and 2, lost time has four at the level of 0 ns: the index of the activity of its GPU that ended last
    before it, minus that of the box before; how long it starts after that activity and after the box before; the index of the
    activity that starts next, minus that of the box before; how long it ends before that one.
    """
    start_ns = min(part.bounds[0] + part.shift_ns for part in parts)
    details = _Details()
    body = bytearray()
    tracks: list[Row] = []
    for number, part in enumerate(parts):
        edges = _edges(part)
        indices = details.indices(part)
        for track, of_track in part.tracks:
            kept = []
            for resolution_ns, boxes in of_track:
                kept.append([resolution_ns, len(boxes), len(body)])
                known = edges.get(track["gpu"]) if track["shows"] == "lost" and resolution_ns == 0 else None
                for column in [
                    *_times(boxes, start_ns - part.shift_ns, known),
                    indices[boxes.what],
                    boxes.times.astype(np.int64) - 1,
                    boxes.end_ns - boxes.start_ns - boxes.busy_ns,
                    *_own_columns(boxes, track, part),
                ]:
                    body += varints(column)
            tracks.append(track | {"part": number, "levels": kept})
    text = {
        "start_ns": start_ns,
        "details": details.facts,
        "parts": [_shifted(part.about, part.shift_ns - start_ns) for part in parts],
        "tracks": tracks,
        "arrivals": [
            {"rank": late.rank, "first_ns": late.first_ns - start_ns, "last_ns": late.last_ns - start_ns} for late in arrivals
        ],
    }
    return {
        "text": packed(json.dumps(text, ensure_ascii=False, separators=(",", ":")).encode()),
        "numbers": packed(bytes(body)),
    }


class _Details:
    """Collects the contents of tooltips, each once."""

    def __init__(self) -> None:
        self.facts: list[dict[str, str]] = []
        self._indices: dict[Words, int] = {}

    def indices(self, part: Part) -> Numbers:
        """For each of the words of a part, the index of its details; only those that its boxes refer to have one."""
        found = np.full(len(part.words), -1, np.int64)
        for _, of_track in part.tracks:
            for _, boxes in of_track:
                for what in np.unique(boxes.what).tolist():
                    found[what] = self._index(part.words[what])
        return found

    def _index(self, key: Words) -> int:
        if key not in self._indices:
            self._indices[key] = len(self.facts)
            self.facts.append(
                {column: in_full(text) for column, text in zip(DETAILS, (key[0], *key[1]), strict=True) if text is not None}
            )
        return self._indices[key]


def _place_numbers(boxes: Boxes, places: list[Row]) -> Numbers:
    """For each box of lost time, the number of the place in which it begins; 0 where that is none of these."""
    if not places:
        return np.zeros(len(boxes), np.int64)
    ordered = sorted(places, key=lambda place: place["start_ns"])
    start, end, number = (np.array([place[key] for place in ordered]) for key in ("start_ns", "end_ns", "number"))
    last = np.searchsorted(start, boxes.start_ns, "right") - 1
    return np.where((last >= 0) & (boxes.start_ns < end[last]), number[last], 0)


def _edges(part: Part) -> dict[int, tuple[Numbers, Numbers]]:
    """Of each GPU, when its activities end and when they start, each in order, where nothing is merged."""
    streams: dict[int, list[Boxes]] = {}
    for track, of_track in part.tracks:
        if track["shows"] == "stream":
            streams.setdefault(track["gpu"], []).extend(boxes for resolution_ns, boxes in of_track if resolution_ns == 0)
    return {
        gpu: (
            np.sort(np.concatenate([boxes.end_ns for boxes in of_gpu])),
            np.sort(np.concatenate([boxes.start_ns for boxes in of_gpu])),
        )
        for gpu, of_gpu in streams.items()
        if of_gpu
    }


def _times(boxes: Boxes, from_ns: int, edges: tuple[Numbers, Numbers] | None) -> Iterator[Numbers]:
    """The columns of the starts and ends.

    Most lost time begins where an activity or the box before it ends, and ends where an activity starts: with the `edges` of the
    activities, which edge it is and how far away are two small numbers in place of a large one. That saves a third of a page.
    """
    start, end = boxes.start_ns, boxes.end_ns
    if edges is None:
        yield np.diff(start, prepend=from_ns)
        yield end - start
        return
    ends, starts = edges
    after = np.maximum(0, np.searchsorted(ends, start, "right") - 1)
    until = np.minimum(len(starts) - 1, np.searchsorted(starts, end, "left"))
    yield np.diff(after, prepend=0)
    yield start - np.maximum(ends[after], np.append(ends[:1], end[:-1])[: len(end)])
    yield np.diff(until, prepend=0)
    yield starts[until] - end


def _own_columns(boxes: Boxes, track: Row, part: Part) -> Iterator[Numbers]:
    """The columns that a track has of its own."""
    if track["shows"] == "stream":
        launched = boxes.start_ns - boxes.launch_start_ns + 1
        yield launched
        yield boxes.launch_ns
        yield np.where(launched != 0, part.launch_threads[np.minimum(boxes.what, len(part.launch_threads) - 1)], 0)
    elif track["shows"] == "lost":
        yield _place_numbers(boxes, [place for place in part.about["places"] if place["gpu"] == track["gpu"]])
    else:
        yield np.zeros(len(boxes), np.int64)


def _shifted(about: Row, by_ns: int) -> Row:
    """What is said of a part, with its times on the clock of the timeline."""
    shift: Callable[[Sequence[Any]], list[Any]] = lambda row: [row[0], row[1] + by_ns, row[2] + by_ns]  # noqa: E731
    return about | {
        "from": about["from"] + by_ns,
        "to": about["to"] + by_ns,
        "shift_ns": by_ns,
        "regimes": [shift(row) for row in about["regimes"]],
        "steps": [shift(row) for row in about["steps"]],
        "whole": [[start + by_ns, end + by_ns] for start, end in about["whole"]],
        "places": [place | {key: place[key] + by_ns for key in PLACE_TIMES if key in place} for place in about["places"]],
    }
