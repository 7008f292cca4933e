"""The boxes of a page's timeline, as columns of numbers: read in the order of their tracks, and merged to levels of detail."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gapfinder.diagnosis.job import Charged
from gapfinder.report.columns import Numbers
from gapfinder.trace import OpenTrace

Row = dict[str, Any]
TRACK = ("shows", "gpu", "pid", "global_tid", "stream", "depth")  # the columns that identify a track
DETAILS = ("kind", "name", "state", "call", "thread", "nvtx")  # the columns that the tooltip of a box shows
NAMED = ("state", "line", "native", "range")  # tracks in which spans that say the same keep it when they are merged
MERGED_PIXELS = 4  # that a merged box is wide at most, so that one still sees where the track is dense
# The tracks are read one after the other, each with what it needs, which takes less memory.
_LAUNCH = "coalesce(launch_start_ns, start_ns + 1) AS launch_start_ns, coalesce(launch_end_ns - launch_start_ns, 0) AS launch_ns"
_READS = (
    ("", "shows = 'lost'"),
    (f", id, {_LAUNCH}", "shows = 'stream'"),
    (", id", "shows = 'launch'"),
    ("", "shows NOT IN ('lost', 'stream', 'launch')"),
)
_NONE = np.empty(0, np.int64)

Words = tuple[str, tuple[str | None, ...]]  # the kind, and the other DETAILS
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Spans:
    """Spans of one track in the order of their starts.

    `what` is an index into `Tracks.words`. Of activities, `launch_start_ns` is the start of the launching call, or 1 ns after
    that of the activity where there is none; of other spans it is empty, as `launch_ns`.
    """

    what: NDArray[np.int32]
    start_ns: Numbers
    end_ns: Numbers
    launch_start_ns: Numbers
    launch_ns: Numbers

    def __len__(self) -> int:
        return len(self.what)

    def at(self, chosen: Mask | Numbers) -> Self:
        """Some of them."""
        return type(self)(**{name: column[chosen] if len(column) else column for name, column in vars(self).items()})


@dataclass(frozen=True)
class Boxes(Spans):
    """Boxes of one track: `times` says how many spans a box stands for, and `busy_ns` how long these are."""

    times: NDArray[np.int32]
    busy_ns: Numbers

    @classmethod
    def of(cls, spans: Spans) -> "Boxes":
        """Each span as a box."""
        return cls(**vars(spans), times=np.ones(len(spans), np.int32), busy_ns=spans.end_ns - spans.start_ns)


@dataclass(frozen=True)
class Tracks:
    """All spans that a page may draw: `tracks` with the columns of TRACK, and the `spans` of each.

    `words` has the DETAILS of each group of spans, then those of each kind, for merged boxes. `kinds` and `launch_threads` are
    the kind and the number of the launching thread of each group, as numbers.
    """

    tracks: list[Row]
    spans: list[Spans]
    words: list[Words]
    kinds: NDArray[np.int32]
    launch_threads: Numbers

    @property
    def groups(self) -> int:
        """The number of groups: from there on, `words` has kinds."""
        return len(self.kinds)


def read(trace: OpenTrace, charged: Mapping[int, Sequence[Charged]]) -> Tracks:
    """The tracks of a trace. `charged` is the lost time of GPUs that has other causes in the ledger of a job."""
    groups = trace.rows("SELECT * FROM page_groups ORDER BY group_id")
    recut = _Recut(groups, charged)
    tracks: dict[tuple[Any, ...], int] = {}
    track_of = np.array([tracks.setdefault(tuple(row[key] for key in TRACK), len(tracks)) for row in groups], np.int32)
    kinds = sorted({row["kind"] for row in groups})
    words = [(row["kind"], tuple(row[key] for key in DETAILS[1:])) for row in groups]
    spans: dict[int, Spans] = {}
    for columns, which in _READS:
        spans |= _by_track(trace.arrays(f"SELECT group_id, start_ns, end_ns{columns} FROM page_boxes WHERE {which}"), track_of)
    described = [dict(zip(TRACK, key, strict=True)) for key in tracks]
    for track, row in enumerate(described):
        if row["shows"] == "lost" and row["gpu"] in charged:
            spans[track] = recut.spans(spans[track], charged[row["gpu"]])
    return Tracks(
        described,
        [_launches(spans[track]) if row["shows"] == "launch" else spans[track] for track, row in enumerate(described)],
        words + [(kind, (None,) * len(DETAILS[1:])) for kind in kinds],
        np.array([kinds.index(row["kind"]) for row in groups], np.int32),
        np.array([row["launch_thread"] or 0 for row in groups], np.int64),
    )


def _by_track(columns: dict[str, NDArray[Any]], track_of: NDArray[np.int32]) -> dict[int, Spans]:
    """The spans of each track in order: by start, the longest first, then by the activity."""
    what, start, end = columns["group_id"], columns["start_ns"], columns["end_ns"]
    track = track_of[what]
    order = np.lexsort((start, track))
    # few start at once: only these have to be compared further
    alike = np.append(False, (np.diff(start[order]) == 0) & (np.diff(track[order]) == 0))[: len(order)]
    alike[:-1] |= alike[1:]
    tied = order[alike]
    order[alike] = tied[np.lexsort((what[tied], columns.get("id", what)[tied], -end[tied], start[tied], track[tied]))]
    found = {}
    for part in np.split(order, np.flatnonzero(np.diff(track[order])) + 1) if len(order) else ():
        launch = (columns[name][part] if name in columns else _NONE for name in ("launch_start_ns", "launch_ns"))
        found[int(track[part[0]])] = Spans(what[part], start[part], end[part], *launch)
    return found


def _launches(spans: Spans) -> Spans:
    """The calls of a thread, each once: of the activities of one call, the first stands for it."""
    again = (np.diff(spans.start_ns) == 0) & (np.diff(spans.end_ns) == 0)
    return spans.at(np.append(True, ~again))


class _Recut:
    """Gives lost time other causes: `groups` gets a group more for each of these and each group that may have it."""

    def __init__(self, groups: list[Row], charged: Mapping[int, Sequence[Charged]]) -> None:
        self.causes = sorted({piece.cause for pieces in charged.values() for piece in pieces})
        self._group = np.tile(np.arange(len(groups), dtype=np.int32), (len(self.causes), 1))
        for group, row in enumerate(groups[:] if self.causes else ()):
            if row["shows"] == "lost" and row["gpu"] in charged:
                for number, cause in enumerate(self.causes):
                    self._group[number, group] = len(groups)
                    groups.append(row | {"kind": cause})

    def spans(self, lost: Spans, pieces: Sequence[Charged]) -> Spans:
        """The lost time of a GPU, cut at the ends of these pieces, which lie in order, and with their causes."""
        if not pieces:
            return lost
        start, end = (np.array([getattr(piece, name) for piece in pieces], np.int64) for name in ("start_ns", "end_ns"))
        cause = np.array([self.causes.index(piece.cause) for piece in pieces])
        cuts = np.unique(np.concatenate((start, end)))
        first, last = np.searchsorted(cuts, lost.start_ns, "right"), np.searchsorted(cuts, lost.end_ns, "left")
        of = np.repeat(np.arange(len(lost)), last - first + 1)
        begins = np.append(True, np.diff(of) != 0)
        cut_before = cuts[np.minimum(len(cuts) - 1, np.arange(len(of)) - np.flatnonzero(begins)[of] + first[of] - 1)]
        from_ns = np.where(begins, lost.start_ns[of], cut_before)
        which = np.searchsorted(start, from_ns, "right") - 1
        charged = (which >= 0) & (from_ns < end[which])
        what = np.where(charged, self._group[cause[which], lost.what[of]], lost.what[of]).astype(np.int32)
        # the ends of stretches cut pieces that belong together
        kept = begins | np.append(True, np.diff(what) != 0)
        from_ns = from_ns[kept]
        until_ns = np.where(np.append(begins[kept][1:], True), lost.end_ns[of[kept]], np.append(from_ns[1:], 0))
        return Spans(what[kept], from_ns, until_ns, _NONE, _NONE)


def merged(tracks: Tracks, track: int, resolution_ns: int, from_ns: int) -> Boxes:
    """The boxes of a track; those of one kind that are shorter than the resolution and lie close together are one."""
    spans = tracks.spans[track]
    length = spans.end_ns - spans.start_ns
    long, short = Boxes.of(spans.at(length >= resolution_ns)), np.flatnonzero(length < resolution_ns)
    if not len(short):
        return long
    kind = tracks.kinds[spans.what[short]]
    key = (spans.start_ns[short] - from_ns) // (MERGED_PIXELS * resolution_ns) * (int(kind.max()) + 1) + kind
    order = np.argsort(key, kind="stable")
    short, key = short[order], key[order]
    first = np.flatnonzero(np.append(True, np.diff(key) != 0))
    ones = spans.at(short[first])
    times = np.diff(np.append(first, len(short))).astype(np.int32)
    same = times == 1
    if tracks.tracks[track]["shows"] in NAMED:
        what = spans.what[short]
        same = np.minimum.reduceat(what, first) == np.maximum.reduceat(what, first)
    launch = _NONE, _NONE
    if len(ones.launch_ns):
        launch = np.where(times == 1, ones.launch_start_ns, ones.start_ns + 1), np.where(times == 1, ones.launch_ns, 0)
    merged = Boxes(
        np.where(same, ones.what, tracks.groups + tracks.kinds[ones.what]).astype(np.int32),
        ones.start_ns,
        np.maximum.reduceat(spans.end_ns[short], first),
        *launch,
        times,
        np.add.reduceat(length[short], first),
    )
    both = Boxes(**{name: np.concatenate((column, getattr(merged, name))) for name, column in vars(long).items()})
    return both.at(np.lexsort((both.what, -both.end_ns, both.start_ns)))
