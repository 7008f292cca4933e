"""Tracks of GPUs, threads, gaps and causes for ui.perfetto.dev, as Chrome trace JSON; compressed where FILE ends in .gz.

JSON and not Perfetto's own protobuf: it keeps every nanosecond too, loads as fast, needs no library here, and other viewers read
it as well.
"""

import gzip
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from gapfinder.resources import __version__

if TYPE_CHECKING:
    from gapfinder.trace import OpenTrace

BATCH = 20_000  # events in memory at once
NESTING = ("track_steps", "track_gaps", "track_segments")  # what is around another comes before it
CROSSING = ("track_activities", "track_calls")
IN_ORDER = "ORDER BY pid, tid, start_ns, end_ns DESC, event"
LANE = 1 << 24  # added to the thread id for each lane: thread ids have 24 bits


def write(trace: "OpenTrace", path: Path) -> None:
    """Write the view `tracks` and the events of the views `track_*`; times in microseconds since the first event."""
    (span,) = trace.rows("SELECT zero_ns FROM tracked_span")
    about = {"made_by": f"gapfinder {__version__}", "zero_ns": span["zero_ns"]}
    with _opened(path) as file:
        file.write(f'{{"displayTimeUnit":"ns","otherData":{json.dumps(about)},"traceEvents":[')
        lines = _lines(trace)
        file.write(f"\n{next(lines)}")
        file.writelines(f",\n{line}" for line in lines)
        file.write("\n]}\n")


def _opened(path: Path) -> TextIO:
    # 1: half the time of the default level, for files a fifth larger
    return gzip.open(path, "wt", compresslevel=1, encoding="utf-8") if path.suffix == ".gz" else path.open("w", encoding="utf-8")


def _lines(trace: "OpenTrace") -> Iterator[str]:
    """Every event of the file, the names of tracks first; those of lanes follow when they are known."""
    names = {(row["pid"], row["tid"]): row for row in trace.rows("SELECT * FROM tracks ORDER BY place")}
    for row in names.values():
        yield from _named(**row)
    for view in NESTING:
        for pid, tid, _, _, event in _rows(trace, f"SELECT * FROM {view}"):
            yield f'{{"pid":{pid},"tid":{tid},{event}}}'
    for view in CROSSING:
        lanes = set()
        for pid, tid, lane, event in _in_lanes(_rows(trace, f"SELECT * FROM {view} {IN_ORDER}")):
            yield f'{{"pid":{pid},"tid":{tid + lane * LANE},{event}}}'
            if lane:
                lanes.add((pid, tid, lane))
        for pid, tid, lane in sorted(lanes):
            if named := names.get((pid, tid)):
                yield from _named(**named | {"tid": tid + lane * LANE, "thread": f"{named['thread']} (lane {lane + 1})"})


def _rows(trace: "OpenTrace", query: str) -> Iterator[tuple[Any, ...]]:
    cursor = trace.cursor(query).execute(query)
    while batch := cursor.fetchmany(BATCH):
        yield from batch


def _in_lanes(rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[int, int, int, str]]:
    """Events with the lane of their track that they go to: viewers leave out what neither nests in another nor follows it.

    Takes (pid, tid, start_ns, end_ns, event), by track and start, the longest first; gives (pid, tid, lane from 0, event).
    """
    track = None
    for pid, tid, start_ns, end_ns, event in rows:
        if track != (pid, tid):
            track, open_ends = (pid, tid), [list[int]()]
        for lane, ends in enumerate(open_ends):  # noqa: B007  what it was at the end is used
            while ends and ends[-1] <= start_ns:
                ends.pop()
            if not ends or ends[-1] >= end_ns:
                break
        else:
            lane, ends = len(open_ends), []
            open_ends.append(ends)
        ends.append(end_ns)
        yield pid, tid, lane, event


def _named(*, pid: int, tid: int, process: str, thread: str, place: int) -> Iterator[str]:
    for key, value in (("process_name", process), ("thread_name", thread)):
        yield json.dumps({"pid": pid, "tid": tid, "ph": "M", "name": key, "args": {"name": value}})
    for key in ("process_sort_index", "thread_sort_index"):
        yield json.dumps({"pid": pid, "tid": tid, "ph": "M", "name": key, "args": {"sort_index": place}})
