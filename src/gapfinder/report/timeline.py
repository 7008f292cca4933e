"""The timeline of a page: lanes of boxes at several levels of detail, in a compact form.

A page has one timeline. It has one part for each trace that it shows: one on the page of a trace, several for a job or a
comparison. All times are in ns from the start of the timeline, on one clock.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from typing import TYPE_CHECKING, Any

import numpy as np

from gapfinder.diagnosis.job import Arrival
from gapfinder.report.columns import Numbers, packed, varints
from gapfinder.trace import OpenTrace
from gapfinder.units import clean, clean_text, shortened

if TYPE_CHECKING:
    import polars as pl

Row = dict[str, Any]
LANE = ("track", "gpu", "pid", "global_tid", "stream", "depth")  # the columns that identify a lane
DETAILS = ("kind", "name", "state", "call", "thread", "nvtx")  # the columns that the tooltip of a box shows
STREAMS_SHOWN = 8  # of each GPU, those with the most boxes
BOXES = 850_000  # of the level in which nothing is merged: measured, 100,000 are 0.6 MB of the page
MERGED_BOXES = 250_000  # of all other levels
PLACES = 9_000  # gaps of which the page says what ran before and after
NAME_CHARS = 2_000  # of a name, which is shown in full


@dataclass(frozen=True)
class Part:
    """What the timeline shows of one trace: `about` it in words and numbers, and its lanes, each with its boxes by level."""

    about: Row
    lanes: list[tuple[Row, list[tuple[int, "pl.DataFrame"]]]]
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
) -> Part:
    """The part of a trace. Its times are shifted by `shift_ns`; it takes a `share` of what the page has room for.

    `ranks` are the numbers of the ranks by GPU, and `renamed` has other names for causes.
    """
    import polars as pl

    renamed = renamed or {}
    bounds = trace.rows("SELECT start_ns, end_ns FROM analysed_time")[0]
    steps = trace.rows("SELECT * FROM page_steps")
    most_places = int(max(3, PLACES * share // len(steps)))
    places = trace.rows(f"SELECT * FROM page_places WHERE number <= {most_places}")
    threads = {row["global_tid"]: row | {"thread": clean(row["thread"])} for row in trace.rows("SELECT * FROM page_threads")}
    stretches = trace.rows("SELECT * FROM page_stretches ORDER BY start_ns")
    whole = [row for row in stretches if row["boxes_so_far"] <= BOXES * share] or [
        min(stretches, key=lambda row: row["boxes_so_far"])
    ]
    levels = _levels(trace, MERGED_BOXES * share, sum(row["boxes"] for row in stretches))
    most_boxes = max(row["boxes_so_far"] for row in whole)
    # two queries, since DuckDB then reads names for those boxes alone
    frames = [
        trace.frame(f"SELECT * FROM page_boxes WHERE resolution_ns = 0 AND boxes_so_far <= {most_boxes}"),
        trace.frame(f"SELECT * FROM page_boxes WHERE resolution_ns IN ({', '.join(map(str, levels))})"),
    ]
    about = {
        "label": label,
        "ranks": ranks or {},
        "from": bounds["start_ns"],
        "to": bounds["end_ns"],
        "regimes": [
            [row["kind"], row["start_ns"], row["end_ns"]] for row in trace.rows("SELECT * FROM regimes ORDER BY start_ns")
        ],
        "steps": [[row["step"], row["start_ns"], row["end_ns"]] for row in steps],
        "whole": _joined([(row["start_ns"], row["end_ns"]) for row in whole]),
        "levels": levels,
        "places": [_place(row, renamed) for row in places],
    }
    return Part(
        about, list(_lanes(pl.concat(frames), threads, places, renamed)), (bounds["start_ns"], bounds["end_ns"]), shift_ns
    )


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
        for lane, levels in part.lanes:
            kept = []
            for resolution_ns, frame in levels:
                kept.append([resolution_ns, frame.height, len(body)])
                known = edges.get(lane["gpu"]) if lane["track"] == "lost" and resolution_ns == 0 else None
                for column in [*_times(frame, start_ns - part.shift_ns, known), *_columns(frame, lane["track"], details)]:
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
        self._indices: dict[tuple[str | None, ...], int] = {}

    def indices(self, frame: "pl.DataFrame") -> Numbers:
        """For each row, the index of its details."""
        distinct = frame.select(DETAILS).unique(maintain_order=True)
        found = distinct.with_columns(detail=_series([self._index(key) for key in distinct.rows()]))
        joined = frame.select(DETAILS).join(found, on=DETAILS, how="left", nulls_equal=True, maintain_order="left")
        return joined["detail"].to_numpy()

    def _index(self, key: tuple[str | None, ...]) -> int:
        if key not in self._indices:
            self._indices[key] = len(self.facts)
            self.facts.append({column: _whole(text) for column, text in zip(DETAILS, key, strict=True) if text is not None})
        return self._indices[key]


def _series(numbers: list[int]) -> "pl.Series":
    import polars as pl

    return pl.Series(numbers, dtype=pl.Int64)


def _whole(name: str) -> str:
    return shortened(clean_text(unescape(name)), NAME_CHARS)


def _levels(trace: OpenTrace, most: float, boxes: int) -> list[int]:
    """The resolutions of the levels that a page has room for, finest first. A level with nearly all boxes would be of no use."""
    levels = trace.rows("SELECT * FROM page_levels ORDER BY pixels DESC")
    useful = [row for row in levels if row["boxes_at_most"] <= min(most, boxes / 2)]
    room = most
    chosen: list[int] = []
    for row in useful or levels[-1:]:
        if row["boxes_at_most"] <= room or not chosen:
            room -= row["boxes_at_most"]
            chosen.append(row["resolution_ns"])
    return list(dict.fromkeys(chosen))


def _lanes(
    frame: "pl.DataFrame", threads: dict[int, Row], places: list[Row], renamed: dict[str, str]
) -> Iterator[tuple[Row, list[tuple[int, "pl.DataFrame"]]]]:
    """The lanes: one for each stream of a GPU, one for its lost time, and one for each thread and depth of NVTX ranges."""
    import polars as pl

    if renamed:
        cause = pl.when(pl.col("track") == "lost").then(pl.col("kind").replace(renamed)).otherwise(pl.col("kind"))
        frame = frame.with_columns(kind=cause)
    by_lane = frame.partition_by(LANE, as_dict=True, maintain_order=True)
    busiest: dict[Any, list[tuple[Any, ...]]] = {}
    for key in sorted((key for key in by_lane if key[0] == "stream"), key=lambda key: (-by_lane[key].height, str(key))):
        busiest.setdefault(key[1], []).append(key)
    for key, boxes in by_lane.items():
        lane: Row = dict(zip(LANE, key, strict=True))
        tid = lane.pop("global_tid")
        if lane["track"] == "stream" and key not in busiest[lane["gpu"]][:STREAMS_SHOWN]:
            continue
        if tid is not None:
            if tid not in threads:
                continue
            lane |= {"place": threads[tid]["place"], "thread": threads[tid]["thread"]}
        if lane["track"] == "lost":
            boxes = boxes.with_columns(number=_numbers(boxes, [place for place in places if place["gpu"] == lane["gpu"]]))  # noqa: PLW2901
        levels = boxes.partition_by("resolution_ns", as_dict=True, maintain_order=True)
        yield (
            {name: value for name, value in lane.items() if value is not None},
            [(resolution, rows) for (resolution,), rows in levels.items()],
        )


def _numbers(boxes: "pl.DataFrame", places: list[Row]) -> "pl.Series":
    """For each box of lost time, the number of the place in which it begins; 0 where that is none of these."""
    if not places:
        return _series([0] * boxes.height)
    ordered = sorted(places, key=lambda place: place["start_ns"])
    start, end, number = (np.array([place[key] for place in ordered]) for key in ("start_ns", "end_ns", "number"))
    begins = boxes["start_ns"].to_numpy()
    last = np.searchsorted(start, begins, "right") - 1
    return _series(np.where((last >= 0) & (begins < end[last]), number[last], 0).tolist())


def _edges(part: Part) -> dict[int, tuple[Numbers, Numbers]]:
    """Of each GPU, when its activities end and when they start, each in order, where nothing is merged."""
    streams: dict[int, list[pl.DataFrame]] = {}
    for lane, levels in part.lanes:
        if lane["track"] == "stream":
            streams.setdefault(lane["gpu"], []).extend(frame for resolution_ns, frame in levels if resolution_ns == 0)
    return {
        gpu: (
            np.sort(np.concatenate([frame["end_ns"].to_numpy() for frame in frames])),
            np.sort(np.concatenate([frame["start_ns"].to_numpy() for frame in frames])),
        )
        for gpu, frames in streams.items()
        if frames
    }


def _times(frame: "pl.DataFrame", from_ns: int, edges: tuple[Numbers, Numbers] | None) -> Iterator[Numbers]:
    """The columns of the starts and ends.

    Most lost time begins where an activity ends, and ends where one starts: with the `edges` of the activities, which edge it
    is and how far away are two small numbers in place of a large one. That saves a quarter of a page.
    """
    start, end = frame["start_ns"].to_numpy(), frame["end_ns"].to_numpy()
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


def _columns(frame: "pl.DataFrame", track: str, details: _Details) -> Iterator[Numbers]:
    """The other columns."""
    yield details.indices(frame)
    yield frame["times"].cast(int).to_numpy() - 1
    yield (frame["end_ns"] - frame["start_ns"] - frame["busy_ns"]).to_numpy()
    if track == "stream":
        yield (frame["start_ns"] - frame["launch_start_ns"] + 1).fill_null(0).to_numpy()
        yield (frame["launch_end_ns"] - frame["launch_start_ns"]).fill_null(0).to_numpy()
        yield frame["launch_place"].fill_null(0).to_numpy()
    elif track == "lost":
        yield frame["number"].to_numpy()
    else:
        yield np.zeros(frame.height, dtype=np.int64)


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
