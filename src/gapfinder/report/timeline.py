"""The timelines of a report: lanes with boxes, in a compact form."""

from collections import defaultdict
from collections.abc import Iterator
from html import unescape
from itertools import groupby
from typing import Any

from gapfinder.trace import OpenTrace
from gapfinder.units import clean

Row = dict[str, Any]
Numbers = dict[
    tuple[int, int, bool, int], int
]  # numbers of gaps and exposed activities, by step, GPU, whether it is a gap, and id
LANE = ("track", "gpu", "pid", "global_tid", "stream", "depth")  # the columns that identify a lane
DETAILS = ("kind", "name", "state", "call", "thread", "nvtx")  # the columns that the tooltip of a box shows
STREAMS_SHOWN = 8  # of each GPU, those with the most boxes


def timelines(trace: OpenTrace) -> dict[str, Any]:
    """The `timelines` by step, and the `details` that their boxes refer to, each once. Times are in ns.

    A lane has two lists of numbers. `boxes` has four numbers for each box: its start minus the start of the box before it, its
    length, the index of its details, and one more: for an activity, the time from its launch to its start (0 if unknown); for
    lost time, the number of its place. `merged` has five numbers for each box that stands for several short ones: the same
    first three, how many there are, and their total length.
    """
    details = _Details()
    places = defaultdict(list)
    numbers: Numbers = {}
    for row in trace.rows("SELECT * FROM page_places"):
        numbers[row["step"], row["gpu"], row["is_gap"], row["place_id"]] = row["number"]
        if row["has_details"]:
            places[row["step"]].append(row)
    threads = {row["global_tid"]: row | {"thread": clean(row["thread"])} for row in trace.rows("SELECT * FROM page_threads")}
    boxes = {step: list(rows) for step, rows in groupby(trace.rows("SELECT * FROM page_boxes"), key=lambda row: row["step"])}
    return {
        "timelines": {
            row["step"]: {
                "start_ns": row["start_ns"],
                "resolution_ns": row["resolution_ns"],
                "lanes": list(_lanes(boxes.get(row["step"], []), row["start_ns"], threads, numbers, details)),
                "places": [_place(place, row["start_ns"]) for place in places[row["step"]]],
            }
            for row in trace.rows("SELECT * FROM page_steps WHERE resolution_ns IS NOT NULL")
        },
        "details": details.facts,
    }


class _Details:
    """Collects the contents of tooltips, each once."""

    def __init__(self) -> None:
        self.facts: list[dict[str, str]] = []
        self._indices: dict[tuple[str | None, ...], int] = {}

    def index(self, row: Row) -> int:
        """The index of the details of a row."""
        key = tuple(row[column] for column in DETAILS)
        if key not in self._indices:
            self._indices[key] = len(self.facts)
            self.facts.append(
                {column: clean(unescape(text)) for column, text in zip(DETAILS, key, strict=True) if text is not None}
            )
        return self._indices[key]


def _lanes(rows: list[Row], from_ns: int, threads: dict[int, Row], numbers: Numbers, details: _Details) -> Iterator[Row]:
    """The lanes of a step: one for each stream of a GPU, one for its lost time, and one for each thread and depth."""
    by_lane = {key: list(boxes) for key, boxes in groupby(rows, key=lambda row: tuple(row[column] for column in LANE))}
    streams = sorted((key for key in by_lane if key[0] == "stream"), key=lambda key: (-len(by_lane[key]), str(key)))
    shown = set()
    for gpu in {key[1] for key in streams}:
        shown.update([key for key in streams if key[1] == gpu][:STREAMS_SHOWN])
    for key, boxes in by_lane.items():
        lane: Row = dict(zip(LANE, key, strict=True))
        tid, pid = lane.pop("global_tid"), lane.pop("pid")
        if (lane["track"] == "stream" and key not in shown) or (tid is not None and tid not in threads):
            continue
        if tid is not None:
            lane |= {"place": threads[tid]["place"], "thread": threads[tid]["thread"]}
        elif lane["track"] == "stream":
            lane["pid"] = pid
        whole = [row for row in boxes if row["times"] == 1]
        starts = [0, *(row["start_ns"] - from_ns for row in whole)]
        merged = [row for row in boxes if row["times"] > 1]
        merged_starts = [0, *(row["start_ns"] - from_ns for row in merged)]
        yield {name: value for name, value in lane.items() if value is not None} | {
            "boxes": [
                number
                for index, row in enumerate(whole)
                for number in (
                    starts[index + 1] - starts[index],
                    row["end_ns"] - row["start_ns"],
                    details.index(row),
                    numbers[row["step"], row["gpu"], row["is_gap"], row["place_id"]]
                    if lane["track"] == "lost"
                    else row["launched_ns"] or 0,
                )
            ],
            "merged": [
                number
                for index, row in enumerate(merged)
                for number in (
                    merged_starts[index + 1] - merged_starts[index],
                    row["end_ns"] - row["start_ns"],
                    details.index(row),
                    row["times"],
                    row["busy_ns"],
                )
            ],
        }


def _place(row: Row, from_ns: int) -> Row:
    names = {column: clean(row[column]) for column in ("before", "after", "thread") if row[column] is not None}
    launched = {} if row["launch_start_ns"] is None else {"launched_ns": row["launch_start_ns"] - from_ns}
    return {
        "number": row["number"],
        "gpu": row["gpu"],
        "start_ns": row["start_ns"] - from_ns,
        "end_ns": row["end_ns"] - from_ns,
        "lost_ns": row["lost_ns"],
        "cause": row["cause"],
        "gap": row["is_gap"],
        **names,
        **launched,
    }
