"""Tracks of GPUs, threads, gaps and causes for ui.perfetto.dev, as Chrome trace JSON; gzip-compressed if FILE ends in .gz.

The format is JSON and not Perfetto's protobuf: it keeps every nanosecond too, loads as fast, needs no library, and other viewers
read it.
"""

import gzip
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from gapfinder.resources import __version__

if TYPE_CHECKING:
    from gapfinder.trace import OpenTrace

BATCH_EVENTS = 20_000  # fetched at once
NESTED_VIEWS = ("track_steps", "track_gaps", "track_segments")  # events nest, and an outer event comes before its inner ones
OVERLAPPING_VIEWS = ("track_activities", "track_calls")
IN_ORDER = "ORDER BY pid, tid, start_ns, end_ns DESC, event"
LANE_STEP = 1 << 24  # added to the thread id for each further lane: thread ids have 24 bits


def write(trace: "OpenTrace", path: Path) -> None:
    """Write the view `tracks` and the events of the views `track_*`. Times are in microseconds since the first event."""
    (span,) = trace.rows("SELECT zero_ns FROM tracked_span")
    about = {"made_by": f"gapfinder {__version__}", "zero_ns": span["zero_ns"]}
    with _opened(path) as file:
        file.write(f'{{"displayTimeUnit":"ns","otherData":{json.dumps(about)},"traceEvents":[')
        lines = _lines(trace)
        file.write(f"\n{next(lines)}")
        file.writelines(f",\n{line}" for line in lines)
        file.write("\n]}\n")


def _opened(path: Path) -> TextIO:
    # level 1 takes half the time of the default level, and the files are 20 % larger
    return gzip.open(path, "wt", compresslevel=1, encoding="utf-8") if path.suffix == ".gz" else path.open("w", encoding="utf-8")


def _lines(trace: "OpenTrace") -> Iterator[str]:
    """Every event of the file as JSON. The names of tracks come first; the names of further lanes follow their events."""
    names = {(row["pid"], row["tid"]): row for row in trace.rows("SELECT * FROM tracks ORDER BY place")}
    for row in names.values():
        yield from _name_events(**row)
    for view in NESTED_VIEWS:
        for pid, tid, _, _, event in _rows(trace, f"SELECT * FROM {view}"):
            yield f'{{"pid":{pid},"tid":{tid},{event}}}'
    for view in OVERLAPPING_VIEWS:
        lanes = set()
        for pid, tid, lane, event in _in_lanes(_rows(trace, f"SELECT * FROM {view} {IN_ORDER}")):
            yield f'{{"pid":{pid},"tid":{tid + lane * LANE_STEP},{event}}}'
            if lane:
                lanes.add((pid, tid, lane))
        for pid, tid, lane in sorted(lanes):
            if track := names.get((pid, tid)):
                yield from _name_events(
                    **track | {"tid": tid + lane * LANE_STEP, "thread": f"{track['thread']} (lane {lane + 1})"}
                )


def _rows(trace: "OpenTrace", query: str) -> Iterator[tuple[Any, ...]]:
    cursor = trace.cursor(query).execute(query)
    while batch := cursor.fetchmany(BATCH_EVENTS):
        yield from batch


def _in_lanes(rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[int, int, int, str]]:
    """Assign each event to a lane of its track: viewers hide an event that partly overlaps another event in its lane.

    `rows` are (pid, tid, start_ns, end_ns, event), ordered by track and start, the longest first. Yields (pid, tid, lane, event);
    lanes count from 0.
    """
    track = None
    for pid, tid, start_ns, end_ns, event in rows:
        if track != (pid, tid):
            track, open_ends = (pid, tid), [list[int]()]
        for lane, ends in enumerate(open_ends):  # noqa: B007  used after the loop
            while ends and ends[-1] <= start_ns:
                ends.pop()
            if not ends or ends[-1] >= end_ns:
                break
        else:
            lane, ends = len(open_ends), []
            open_ends.append(ends)
        ends.append(end_ns)
        yield pid, tid, lane, event


def _name_events(*, pid: int, tid: int, process: str, thread: str, place: int) -> Iterator[str]:
    for key, value in (("process_name", process), ("thread_name", thread)):
        yield json.dumps({"pid": pid, "tid": tid, "ph": "M", "name": key, "args": {"name": value}})
    for key in ("process_sort_index", "thread_sort_index"):
        yield json.dumps({"pid": pid, "tid": tid, "ph": "M", "name": key, "args": {"sort_index": place}})
