"""What `--without` means in a trace: the change of the replay, and in words what was found."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection
from fnmatch import fnmatchcase

from gapfinder.errors import UsageError
from gapfinder.replay.causes import changes
from gapfinder.replay.change import Change
from gapfinder.replay.intervals import Interval, merged
from gapfinder.replay.replay import Replay
from gapfinder.trace import OpenTrace
from gapfinder.units import count, duration, percent, shortened

OWN_WAITS = 0.9  # of the samples in waits of one kind are on a line: then it is the line that waits
Found = tuple[Change, str]
Finder = Callable[[OpenTrace, Replay, str], Found]


def find_cause(trace: OpenTrace, replay: Replay, cause: str) -> Found:
    """A cause, as the diagnosis takes it away."""
    known = changes(trace, replay.timeline)
    found = {row["cause"]: row for row in trace.facts("SELECT * FROM findings")}
    if cause not in found:
        raise UsageError(f"no time is lost to {cause} in this trace; there is {listed(found)}")
    here = {row["cause"] for row in trace.facts("SELECT * FROM replay_causes")} & known.keys()
    if cause not in here:
        why = "it covers the busiest process, in steps that the cause strikes as it does the others"
        raise UsageError(f"a replay of this trace cannot take {cause} away: {why}; causes that it can: {listed(sorted(here))}")
    share = found[cause]["share"]
    return known[cause], f"{percent(share)} of the window is lost to it"


def find_ranges(trace: OpenTrace, replay: Replay, name: str) -> Found:
    """NVTX ranges of the threads that launch, by name or wildcard."""
    rows = trace.facts(f"SELECT * FROM replay_ranges WHERE {replay.timeline.part.touching} ORDER BY start_ns, end_ns, name")
    hits = [(row["start_ns"], row["end_ns"]) for row in rows if fnmatchcase(row["name"], name)]
    if not hits:
        there = Counter(row["name"] for row in rows)
        raise UsageError(f"no NVTX range of the launching threads is named {name!r}; there is {listed(_most(there))}")
    return _without_time(replay, hits, count(len(hits), "range"))


def find_line(trace: OpenTrace, replay: Replay, line: str) -> Found:
    """A source line, by its Python samples; with its waits, where the samples in a kind of wait are its own."""
    file, _, number = line.rpartition(":")
    rows = trace.facts(f"SELECT * FROM replay_samples WHERE {replay.timeline.part.starting} ORDER BY start_ns, file, line")
    if not rows:
        raise UsageError(
            "this trace has no Python samples of the launching threads: capture with --python-sampling=true, "
            "and export with --include-json=true"
        )
    hits = [row for row in rows if row["line"] == int(number) and f"/{row['file']}".endswith(f"/{file.lstrip('/')}")]
    if not hits:
        there = Counter(f"{row['file'].rpartition('/')[2]}:{row['line']}" for row in rows)
        raise UsageError(f"no Python sample of the launching threads is on {line}; there is {listed(_most(there))}")
    waiting = _waits_at(replay, [row["start_ns"] for row in rows])
    every, own = Counter(waiting.values()), Counter(waiting[row["start_ns"]] for row in hits if row["start_ns"] in waiting)
    kinds = {kind for kind, times in own.items() if times >= OWN_WAITS * every[kind]}
    running = [(row["start_ns"], row["end_ns"]) for row in hits if row["start_ns"] not in waiting]
    change, text = _without_time(replay, running, count(len(hits), "sample"))
    waits = f", and its waits for the GPU ({', '.join(sorted(kinds))})" if kinds else ""
    return change | Change(without_waits=frozenset(kinds)), text + waits


def find_stream(trace: OpenTrace, replay: Replay, stream: str) -> Found:  # noqa: ARG001  the same for every subject
    """What the activities of a stream wait for on other streams."""
    there = Counter(str(activity.stream) for activity in replay.timeline.activities)
    if str(int(stream)) not in there:
        raise UsageError(f"no activity runs on stream {stream}; there is {listed(_most(there))}")
    if len(there) == 1:
        raise UsageError(f"all activities run on stream {stream}: there is no other for it to wait for")
    waiting = f"{replay.waiting_activities(int(stream)):,} seen waiting for another stream"
    return Change(independent=frozenset({int(stream)})), f"{count(there[str(int(stream))], 'activity')}, {waiting}"


REMOVALS: dict[str, Finder] = {"cause": find_cause, "nvtx": find_ranges, "line": find_line, "stream": find_stream}


def listed(names: Collection[str]) -> str:
    """Names for an error message: at most eight, each at most 40 characters long."""
    shown = [shortened(name, 40) for name in names][:8]
    more = ", …" if len(names) > len(shown) else ""
    return ", ".join(shown) + more if shown else "none"


def _most(names: Counter[str]) -> list[str]:
    return [name for name, _ in names.most_common()]


def _without_time(replay: Replay, hits: list[Interval], what: str) -> Found:
    intervals = merged(hits)
    spent_ns = replay.cpu_ns(intervals) / replay.timeline.steps
    return Change(removed_wholly=tuple(intervals)), f"{what}, {duration(spent_ns)} of CPU time a step"


def _waits_at(replay: Replay, times: list[int]) -> dict[int, str]:
    """The kind of the wait in which each of these times lies; without those that lie in none."""
    waits = [call for call in replay.timeline.calls if not call.activities]
    starts = [call.start_ns for call in waits]
    found = {}
    for at_ns in times:
        place = bisect_right(starts, at_ns) - 1
        if place >= 0 and waits[place].end_ns > at_ns:
            found[at_ns] = waits[place].kind
    return found
