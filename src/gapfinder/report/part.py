"""The part of a timeline that shows one trace: its tracks, with as many boxes as the page has room for."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from html import unescape
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from gapfinder.diagnosis.job import Charged
from gapfinder.pipeline.limits import PLACES_OF_A_STEP
from gapfinder.report.boxes import Boxes, Mask, Spans, Tracks, Words, merged, read
from gapfinder.report.columns import Numbers
from gapfinder.trace import OpenTrace
from gapfinder.units import clean, clean_text, shortened

Row = dict[str, Any]
STREAMS_SHOWN = 8  # of each GPU, those with the most boxes
BOXES = 850_000  # of the level in which nothing is merged, so that a page stays small; some take more than others
MERGED_BOXES = 250_000  # of all other levels
PIXELS = [1200 * 4**finer for finer in range(8)]  # for which levels are made: the coarsest, and each finer one
PLACES = 9_000  # places of lost time that have a number
NAME_CHARS = 2_000  # of a name, which is shown in full


@dataclass(frozen=True)
class Sections:
    """The sections of the analysed time. Some of them are drawn in full, which all others are only at levels of detail.

    `filled` is the share of the room, or of all boxes, that is taken when a section comes in its turn; those up to `share` are
    drawn in full.
    """

    start_ns: Numbers
    end_ns: Numbers
    filled: NDArray[np.float64]
    share: float = 1.0

    def holds(self, spans: Spans) -> Mask:
        """Which of the spans are drawn in full: those in such a section, and those in three and more, which are long."""
        in_full = self.filled <= self.share
        first, last = _section_of(self.start_ns, spans.start_ns, "right"), _section_of(self.start_ns, spans.end_ns, "left")
        return in_full[first] | in_full[last] | (last - first > 1)

    def whole(self) -> list[list[int]]:
        """The start and the end of what is drawn in full."""
        in_full = self.filled <= self.share
        pairs = zip(self.start_ns[in_full].tolist(), self.end_ns[in_full].tolist(), strict=True)
        return _joined(list(pairs))


@dataclass(frozen=True)
class Part:
    """What the timeline shows of one trace: `about` it in words and numbers, and its tracks, each with its boxes by level.

    `words` is what boxes refer to, and `launch_threads` the number of the launching thread, both by `Boxes.what`.
    """

    about: Row
    tracks: list[tuple[Row, list[tuple[int, Boxes]]]]
    words: list[Words]
    launch_threads: Numbers
    bounds: tuple[int, int]
    sections: Sections
    shift_ns: int = 0

    def with_less(self, share: float) -> Self:
        """The same with this share of what it draws in full."""
        sections = replace(self.sections, share=share)
        tracks = [
            (track, _present((ns, boxes if ns else boxes.at(sections.holds(boxes))) for ns, boxes in of_track))
            for track, of_track in self.tracks
        ]
        return replace(self, about=self.about | {"whole": sections.whole()}, tracks=tracks, sections=sections)


def part_of(
    trace: OpenTrace,
    *,
    label: str | None = None,
    shift_ns: int = 0,
    share: float = 1.0,
    ranks: dict[int, int] | None = None,
    charged: dict[int, list[Charged]] | None = None,
) -> Part:
    """The part of a trace. Its times are shifted by `shift_ns`; it takes a `share` of what the page has room for.

    `ranks` are the numbers of the ranks by GPU, and `charged` what the ledger of a job charges otherwise, by GPU.
    """
    bounds = trace.rows("SELECT start_ns, end_ns FROM analysed_time")[0]
    steps = trace.rows("SELECT * FROM page_steps")
    most_places = int(min(PLACES_OF_A_STEP, max(3, PLACES * share // len(steps))))
    places = trace.rows(f"SELECT * FROM page_places WHERE number <= {most_places}")
    threads = {row["global_tid"]: row | {"thread": clean(row["thread"])} for row in trace.rows("SELECT * FROM page_threads")}
    tracks = read(trace, charged or {})
    sections = _sections(trace, tracks, BOXES * share)
    resolutions = _resolutions(
        [len(spans) for spans in tracks.spans], bounds["end_ns"] - bounds["start_ns"], MERGED_BOXES * share
    )
    about = {
        "label": label,
        "ranks": ranks or {},
        "from": bounds["start_ns"],
        "to": bounds["end_ns"],
        "regimes": [
            [row["kind"], row["start_ns"], row["end_ns"]] for row in trace.rows("SELECT * FROM regimes ORDER BY start_ns")
        ],
        "steps": [[row["step"], row["start_ns"], row["end_ns"]] for row in steps],
        "whole": sections.whole(),
        "levels": resolutions,
        "places_of_a_step": most_places,
        "places": [_place(row) for row in places],
    }
    shown = []
    for track, described in _shown(tracks, threads):
        spans = tracks.spans[track]
        own = [] if described["shows"] == "launch" else [(0, Boxes.of(spans.at(sections.holds(spans))))]
        own += [(resolution_ns, merged(tracks, track, resolution_ns, bounds["start_ns"])) for resolution_ns in resolutions]
        shown.append((described, _present(own)))
    return Part(about, shown, tracks.words, tracks.launch_threads, (bounds["start_ns"], bounds["end_ns"]), sections, shift_ns)


def typical_step(trace: OpenTrace) -> tuple[int, int]:
    """Start and end of the step of median length, which stands for most of them; of the window where there are no steps."""
    steps = sorted(trace.rows("SELECT * FROM page_steps"), key=lambda row: (row["end_ns"] - row["start_ns"], row["step"]))
    step = steps[(len(steps) - 1) // 2]
    return step["start_ns"], step["end_ns"]


def _sections(trace: OpenTrace, tracks: Tracks, room: float) -> Sections:
    """The sections of the analysed time, of which as many are drawn in full as there is room for."""
    sections = trace.tuples("SELECT start_ns, end_ns, turn FROM page_sections ORDER BY start_ns")
    start_ns, end_ns, turn = np.array(sections, np.int64).T
    boxes = np.zeros(len(sections), np.int64)
    for spans in tracks.spans:
        boxes += np.bincount(_section_of(start_ns, spans.start_ns, "right"), minlength=len(sections))
    order = np.lexsort((start_ns, start_ns - end_ns, turn))
    filled = np.empty(len(sections))
    filled[order] = np.cumsum(boxes[order]) / min(room, max(1, boxes.sum()))
    filled[order[0]] = 0
    return Sections(start_ns, end_ns, filled)


def _section_of(start_ns: Numbers, at_ns: Numbers, side: Literal["left", "right"]) -> Numbers:
    return np.maximum(0, np.searchsorted(start_ns, at_ns, side) - 1)


def _resolutions(spans: list[int], length_ns: int, room: float) -> list[int]:
    """The resolutions of the levels that a page has room for, finest first, of the number of spans in each track.

    A level with nearly all spans would be of no use.
    """
    # a track has at most one longer box for each pixel, and of short ones one for each four pixels and kind
    levels = [(sum(min(count, 2 * pixels) for count in spans), max(1, length_ns // pixels)) for pixels in reversed(PIXELS)]
    useful = [level for level in levels if level[0] <= min(room, sum(spans) / 2)]
    chosen: list[int] = []
    for most, resolution_ns in useful or levels[-1:]:
        if most <= room or not chosen:
            room -= most
            chosen.append(resolution_ns)
    return list(dict.fromkeys(chosen))


def _shown(tracks: Tracks, threads: dict[int, Row]) -> Iterator[tuple[int, Row]]:
    """The tracks that the page shows, by index: of a GPU its lost time and its busiest streams; and the threads."""
    streams = [track for track, row in enumerate(tracks.tracks) if row["shows"] == "stream"]
    busiest: dict[int, list[int]] = {}
    for track in sorted(streams, key=lambda track: (-len(tracks.spans[track]), track)):
        busiest.setdefault(tracks.tracks[track]["gpu"], []).append(track)
    hidden = {track for of_gpu in busiest.values() for track in of_gpu[STREAMS_SHOWN:]}
    for track, row in enumerate(tracks.tracks):
        thread = threads.get(row["global_tid"], {})
        if track in hidden or (row["global_tid"] is not None and not thread):
            continue
        own = {"thread_number": thread["number"], "thread": thread["thread"]} if thread else {}
        described = row | {"global_tid": None} | own
        yield track, {name: value for name, value in described.items() if value is not None}


def _present(levels: Iterable[tuple[int, Boxes]]) -> list[tuple[int, Boxes]]:
    """The levels that have any boxes."""
    return [(resolution_ns, boxes) for resolution_ns, boxes in levels if len(boxes)]


def _joined(spans: list[tuple[int, int]]) -> list[list[int]]:
    """Spans in order, those that follow each other as one."""
    joined: list[list[int]] = []
    for start, end in spans:
        if joined and joined[-1][1] == start:
            joined[-1][1] = end
        else:
            joined.append([start, end])
    return joined


def _place(row: Row) -> Row:
    names = {column: in_full(row[column]) for column in ("before", "after", "thread") if row[column] is not None}
    kept = {key: row[key] for key in ("step", "number", "gpu", "start_ns", "end_ns", "lost_ns", "cause")}
    whole = {key: row[key] for key in ("gap_start_ns", "gap_end_ns") if row[key] is not None}
    launched = {} if row["launch_start_ns"] is None else {"launch_ns": row["launch_start_ns"]}
    return kept | {"gap": row["is_gap"]} | whole | names | launched


@cache
def in_full(name: str) -> str:
    """A name as the page shows it: in full, unless it is very long."""
    return shortened(clean_text(unescape(name)), NAME_CHARS)
