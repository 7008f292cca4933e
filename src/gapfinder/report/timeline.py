"""The timeline of a page: lanes of boxes at several levels of detail, in a compact form.

A page has one timeline. It has one part for each trace that it shows: one on the page of a trace, several for a job or a
comparison. All times are in ns from the start of the timeline, on one clock.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html import unescape
from typing import Any, Literal

import numpy as np

from gapfinder.diagnosis.job import Arrival, Charged
from gapfinder.report.boxes import DETAILS, Boxes, Lanes, Mask, Spans, Words, levels, read
from gapfinder.report.columns import Numbers, packed, varints
from gapfinder.trace import OpenTrace
from gapfinder.units import clean, clean_text, shortened

Row = dict[str, Any]
STREAMS_SHOWN = 8  # of each GPU, those with the most boxes
BOXES = 850_000  # of the level in which nothing is merged: measured, 100,000 are 0.6 MB of the page
MERGED_BOXES = 250_000  # of all other levels
PIXELS = [1200 * 4**finer for finer in range(8)]  # for which levels are made: the coarsest, and each finer one
PLACES = 9_000  # gaps that have a number
PLACES_OF_A_STEP = 30  # as in page_places
NAME_CHARS = 2_000  # of a name, which is shown in full


@dataclass(frozen=True)
class Part:
    """What the timeline shows of one trace: `about` it in words and numbers, and its lanes, each with its boxes by level.

    `words` is what boxes refer to, and `launch_places` the place of the launching thread, both by `Boxes.what`.
    """

    about: Row
    lanes: list[tuple[Row, list[tuple[int, Boxes]]]]
    words: list[Words]
    launch_places: Numbers
    bounds: tuple[int, int]
    shift_ns: int = 0


def part_of(
    trace: OpenTrace,
    *,
    label: str | None = None,
    shift_ns: int = 0,
    share: float = 1.0,
    ranks: dict[int, int] | None = None,
    renamed: dict[str, str] | None = None,
    charged: dict[int, list[Charged]] | None = None,
) -> Part:
    """The part of a trace. Its times are shifted by `shift_ns`; it takes a `share` of what the page has room for.

    `ranks` are the numbers of the ranks by GPU, `renamed` has other names for causes, and `charged` what the ledger of a job
    charges otherwise, by GPU.
    """
    renamed = renamed or {}
    bounds = trace.rows("SELECT start_ns, end_ns FROM analysed_time")[0]
    steps = trace.rows("SELECT * FROM page_steps")
    most_places = int(min(PLACES_OF_A_STEP, max(3, PLACES * share // len(steps))))
    places = trace.rows(f"SELECT * FROM page_places WHERE number <= {most_places}")
    threads = {row["global_tid"]: row | {"thread": clean(row["thread"])} for row in trace.rows("SELECT * FROM page_threads")}
    lanes = read(trace, charged or {})
    stretches = _Stretches(trace, lanes, BOXES * share)
    resolutions = _resolutions([len(spans) for spans in lanes.spans], bounds["end_ns"] - bounds["start_ns"], MERGED_BOXES * share)
    about = {
        "label": label,
        "ranks": ranks or {},
        "from": bounds["start_ns"],
        "to": bounds["end_ns"],
        "regimes": [
            [row["kind"], row["start_ns"], row["end_ns"]] for row in trace.rows("SELECT * FROM regimes ORDER BY start_ns")
        ],
        "steps": [[row["step"], row["start_ns"], row["end_ns"]] for row in steps],
        "whole": stretches.whole(),
        "levels": resolutions,
        "places_of_a_step": most_places,
        "places": [_place(row, renamed) for row in places],
    }
    shown = []
    for lane, described in _shown(lanes, threads):
        spans = lanes.spans[lane]
        own = [] if described["track"] == "launch" else [(0, Boxes.of(spans.at(stretches.holds(spans))))]
        own += levels(lanes, lane, resolutions, bounds["start_ns"])
        shown.append((described, [(resolution_ns, boxes) for resolution_ns, boxes in own if len(boxes)]))
    words = [(renamed.get(kind, kind), rest) for kind, rest in lanes.words]
    return Part(about, shown, words, lanes.launch_places, (bounds["start_ns"], bounds["end_ns"]), shift_ns)


def typical_step(trace: OpenTrace) -> tuple[int, int]:
    """Start and end of the step of median length, which stands for most of them; of the window where there are no steps."""
    steps = sorted(trace.rows("SELECT * FROM page_steps"), key=lambda row: (row["end_ns"] - row["start_ns"], row["step"]))
    step = steps[(len(steps) - 1) // 2]
    return step["start_ns"], step["end_ns"]


def timeline(parts: Sequence[Part], arrivals: Sequence[Arrival] = ()) -> Row:
    """The timeline of these parts, as two compressed texts. `arrivals` are on the clock of the first part.

    `text` is JSON: `start_ns`, the time of 0 on the clock of the first trace; `details`, to which boxes refer; `parts`; `lanes`
    with their `levels`, each [resolution in ns, number of boxes, first byte in `numbers`]. Six columns of numbers follow each
    other there: the start minus the start of the box before it, length, index of details, how many spans were merged minus 1,
    length minus the time of these spans, and for lost time the number of its place, or 0. Activities have three
    columns in its stead: the time from the launch to the start plus 1, and 0 without a launch; the length of the launch; and the
    place of the launching thread. At the level of 0 ns, where nothing is merged, launches are told by these columns alone, and
    lost time has four columns in place of the first two: the index of the activity of its GPU that ended last before it, minus
    that of the box before; how long after that it starts; and the same for the activity that starts next.
    """
    start_ns = min(part.bounds[0] + part.shift_ns for part in parts)
    details = _Details()
    body = bytearray()
    lanes: list[Row] = []
    for number, part in enumerate(parts):
        edges = _edges(part)
        indices = details.indices(part)
        for lane, of_lane in part.lanes:
            kept = []
            for resolution_ns, boxes in of_lane:
                kept.append([resolution_ns, len(boxes), len(body)])
                known = edges.get(lane["gpu"]) if lane["track"] == "lost" and resolution_ns == 0 else None
                for column in [
                    *_times(boxes, start_ns - part.shift_ns, known),
                    indices[boxes.what],
                    boxes.times.astype(np.int64) - 1,
                    boxes.end_ns - boxes.start_ns - boxes.busy_ns,
                    *_own_columns(boxes, lane, part),
                ]:
                    body += varints(column)
            lanes.append(lane | {"part": number, "levels": kept})
    text = {
        "start_ns": start_ns,
        "details": details.facts,
        "parts": [_shifted(part.about, part.shift_ns - start_ns) for part in parts],
        "lanes": lanes,
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
        for _, of_lane in part.lanes:
            for _, boxes in of_lane:
                for what in np.unique(boxes.what).tolist():
                    found[what] = self._index(part.words[what])
        return found

    def _index(self, key: Words) -> int:
        if key not in self._indices:
            self._indices[key] = len(self.facts)
            self.facts.append(
                {column: _whole(text) for column, text in zip(DETAILS, (key[0], *key[1]), strict=True) if text is not None}
            )
        return self._indices[key]


@cache
def _whole(name: str) -> str:
    return shortened(clean_text(unescape(name)), NAME_CHARS)


class _Stretches:
    """The stretches of the analysed time, and which of them the page draws in full: as many as it has room for."""

    def __init__(self, trace: OpenTrace, lanes: Lanes, room: float) -> None:
        stretches = trace.tuples("SELECT start_ns, end_ns, turn FROM page_stretches ORDER BY start_ns")
        self._start_ns, self._end_ns, turn = np.array(stretches, np.int64).T
        boxes = np.zeros(len(stretches), np.int64)
        for spans in lanes.spans:
            boxes += np.bincount(self._of(spans.start_ns, "right"), minlength=len(stretches))
        order = np.lexsort((self._start_ns, self._start_ns - self._end_ns, turn))
        chosen = np.cumsum(boxes[order]) <= room
        chosen[0] = True
        self._in_full = np.empty(len(stretches), bool)
        self._in_full[order] = chosen

    def _of(self, at_ns: Numbers, side: Literal["left", "right"]) -> Numbers:
        return np.maximum(0, np.searchsorted(self._start_ns, at_ns, side) - 1)

    def holds(self, spans: Spans) -> Mask:
        """Which of the spans are drawn in full: those in such a stretch, and those in three and more, which are long."""
        first, last = self._of(spans.start_ns, "right"), self._of(spans.end_ns, "left")
        return self._in_full[first] | self._in_full[last] | (last - first > 1)

    def whole(self) -> list[list[int]]:
        """The start and the end of what is drawn in full."""
        pairs = zip(self._start_ns[self._in_full].tolist(), self._end_ns[self._in_full].tolist(), strict=True)
        return _joined(list(pairs))


def _resolutions(spans: list[int], length_ns: int, room: float) -> list[int]:
    """The resolutions of the levels that a page has room for, finest first, of the number of spans in each lane.

    A level with nearly all spans would be of no use.
    """
    # a lane has at most one longer box for each pixel, and of short ones one for each four pixels and kind
    levels = [(sum(min(count, 2 * pixels) for count in spans), max(1, length_ns // pixels)) for pixels in reversed(PIXELS)]
    useful = [level for level in levels if level[0] <= min(room, sum(spans) / 2)]
    chosen: list[int] = []
    for most, resolution_ns in useful or levels[-1:]:
        if most <= room or not chosen:
            room -= most
            chosen.append(resolution_ns)
    return list(dict.fromkeys(chosen))


def _shown(lanes: Lanes, threads: dict[int, Row]) -> Iterator[tuple[int, Row]]:
    """The lanes that the page shows, by index: of a GPU its lost time and its busiest streams; and the threads."""
    streams = [lane for lane, row in enumerate(lanes.lanes) if row["track"] == "stream"]
    busiest: dict[int, list[int]] = {}
    for lane in sorted(streams, key=lambda lane: (-len(lanes.spans[lane]), lane)):
        busiest.setdefault(lanes.lanes[lane]["gpu"], []).append(lane)
    hidden = {lane for of_gpu in busiest.values() for lane in of_gpu[STREAMS_SHOWN:]}
    for lane, row in enumerate(lanes.lanes):
        thread = threads.get(row["global_tid"], {})
        if lane in hidden or (row["global_tid"] is not None and not thread):
            continue
        described = row | {"global_tid": None} | {key: thread[key] for key in ("place", "thread") if thread}
        yield lane, {name: value for name, value in described.items() if value is not None}


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
    for lane, of_lane in part.lanes:
        if lane["track"] == "stream":
            streams.setdefault(lane["gpu"], []).extend(boxes for resolution_ns, boxes in of_lane if resolution_ns == 0)
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

    Most lost time begins where an activity ends, and ends where one starts: with the `edges` of the activities, which edge it
    is and how far away are two small numbers in place of a large one. That saves a quarter of a page.
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
    yield start - ends[after]
    yield np.diff(until, prepend=0)
    yield starts[until] - end


def _own_columns(boxes: Boxes, lane: Row, part: Part) -> Iterator[Numbers]:
    """The columns that a track has of its own."""
    if lane["track"] == "stream":
        launched = boxes.start_ns - boxes.launch_start_ns + 1
        yield launched
        yield boxes.launch_ns
        yield np.where(launched != 0, part.launch_places[np.minimum(boxes.what, len(part.launch_places) - 1)], 0)
    elif lane["track"] == "lost":
        yield _place_numbers(boxes, [place for place in part.about["places"] if place["gpu"] == lane["gpu"]])
    else:
        yield np.zeros(len(boxes), np.int64)


def _joined(spans: list[tuple[int, int]]) -> list[list[int]]:
    """Spans in order, those that follow each other as one."""
    joined: list[list[int]] = []
    for start, end in spans:
        if joined and joined[-1][1] == start:
            joined[-1][1] = end
        else:
            joined.append([start, end])
    return joined


def _place(row: Row, renamed: dict[str, str]) -> Row:
    names = {column: _whole(row[column]) for column in ("before", "after", "thread") if row[column] is not None}
    kept = {key: row[key] for key in ("step", "number", "gpu", "start_ns", "end_ns", "lost_ns")}
    launched = {} if row["launch_start_ns"] is None else {"launch_ns": row["launch_start_ns"]}
    return kept | {"cause": renamed.get(row["cause"], row["cause"]), "gap": row["is_gap"]} | names | launched


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
        "places": [
            place | {key: place[key] + by_ns for key in ("start_ns", "end_ns", "launch_ns") if key in place}
            for place in about["places"]
        ],
    }
