"""Matches the arguments of `--without` with a trace. Each gives a change of the replay, and a sentence that says what matched."""

from collections import Counter
from collections.abc import Callable

from gapfinder.diagnosis.window import window_of
from gapfinder.errors import UsageError, did_you_mean, recorded_by
from gapfinder.replay.causes import COMMUNICATION, changes
from gapfinder.replay.change import Change
from gapfinder.replay.intervals import Interval, Intervals
from gapfinder.replay.ranges import Range, range_without
from gapfinder.replay.replay import Replay
from gapfinder.trace import OpenTrace
from gapfinder.units import count, duration, names_list, percent
from gapfinder.whatif.grammar import matches

MIN_SAMPLES_OF_WAIT = 0.9  # if a line has this share of the samples in waits of one kind, these waits are the line's
Match = tuple[Change, str]
ALL_RANKS = "`gapfinder diagnose` replays all ranks of this report together, which may say otherwise"
Matcher = Callable[[OpenTrace, Replay, str], Match]


class UnremovableError(UsageError):
    """A cause that no replay of the trace removes."""


def several_ranks(trace: OpenTrace) -> bool:
    """Whether the trace holds several ranks, of which a what-if replays one."""
    return bool(trace.id_rows("SELECT 1 FROM collectives WHERE peers > 0 LIMIT 1"))


def match_cause(trace: OpenTrace, replay: Replay, cause: str) -> Match:
    """Remove a cause, with the same change as the diagnosis. Raises UnremovableError if no replay removes it."""
    matched = lost_to(trace, cause)
    change_of = changes(trace, replay.timeline)
    removable = _removable(trace) & change_of.keys()
    if cause not in removable:
        why = "a replay covers some steps of the busiest process, and a cause must cost as much there as elsewhere"
        removal = trace.config.causes[cause].remove
        if cause not in change_of and removal and COMMUNICATION in removal.overlapped:
            why = "with the report of one rank, it is unknown for what a collective waits"
        told = f"; {ALL_RANKS}" if several_ranks(trace) else ""
        can = names_list(sorted(removable))
        raise UnremovableError(f"a replay of this trace cannot remove {cause}: {why}; it can remove {can}{told}")
    return change_of[cause], matched


def range_of_single_steps(trace: OpenTrace, replay: Replay, cause: str, step_ns: float) -> Range | None:
    """The step without a cause that costs another time in the replayed steps, as the diagnosis has it; None if it has none.

    Of several ranks, the diagnosis replays all.
    """
    if several_ranks(trace) or (cause in _removable(trace) and cause in changes(trace, replay.timeline)):
        return None
    found = range_without(trace, cause, replay.error, step_ns)
    return found if found and found.of_single_steps else None


def lost_to(trace: OpenTrace, cause: str) -> str:
    """How much is lost to a cause, in words. Raises UsageError if that is nothing."""
    totals = {row["cause"]: row["share"] for row in trace.id_rows("SELECT * FROM cause_totals")}
    if cause not in totals:
        raise UsageError(f"no time is lost to {cause} in this trace; the causes are {names_list(totals)}")
    return f"{percent(totals[cause])} of the window is lost to it"


def _removable(trace: OpenTrace) -> set[str]:
    """The causes that cost about as much in the replayed steps as in all."""
    return {row["cause"] for row in trace.id_rows("SELECT * FROM replay_causes")}


def match_ranges(trace: OpenTrace, replay: Replay, name: str) -> Match:
    """Remove the CPU time in NVTX ranges of the launching threads, by name or wildcard."""
    rows = trace.id_rows(f"SELECT * FROM replay_ranges WHERE {replay.timeline.window.touching} ORDER BY start_ns, end_ns, name")
    named = [row for row in rows if matches(row["name"], name) or matches(row["called"], name)]
    hits = [(row["start_ns"], row["end_ns"]) for row in named]
    if not hits:
        there = Counter(row["called"] for row in rows)
        near = did_you_mean(name, there)
        raise UsageError(f"no NVTX range of the launching threads is named {name!r}{near}; there is {names_list(_most(there))}")
    return _without_time(trace, replay, hits, count(len(hits), "range"))


def match_line(trace: OpenTrace, replay: Replay, line: str) -> Match:
    """Remove the CPU time of a source line, by its Python samples.

    It also removes all waits of a kind, if the line has nearly all samples in waits of that kind.
    """
    file, _, number = line.rpartition(":")
    rows = trace.id_rows(f"SELECT * FROM replay_samples WHERE {replay.timeline.window.starting} ORDER BY start_ns, file, line")
    if not rows:
        raise UsageError(f"this trace has no Python samples of the launching threads: {recorded_by()}")
    hits = [row for row in rows if row["line"] == int(number) and f"/{row['file']}".endswith(f"/{file.lstrip('/')}")]
    if not hits:
        there = Counter(f"{row['file'].rpartition('/')[2]}:{row['line']}" for row in rows)
        raise UsageError(f"no Python sample of the launching threads is on {line}; there is {names_list(_most(there))}")
    all_waits, own_waits = (Counter(row["waits_for"] for row in some if row["waits_for"]) for some in (rows, hits))
    kinds = {kind for kind, times in own_waits.items() if times >= MIN_SAMPLES_OF_WAIT * all_waits[kind]}
    running = [(row["start_ns"], row["end_ns"]) for row in hits if not row["waits_for"]]
    change, text = _without_time(trace, replay, running, count(len(hits), "sample"))
    waits = f"; its waits for the GPU go, too ({', '.join(sorted(kinds))})" if kinds else ""
    return change | Change(without_waits=frozenset(kinds)), text + waits


def match_stream(trace: OpenTrace, replay: Replay, stream: str) -> Match:  # noqa: ARG001  every matcher has this signature
    """Remove the waits of a stream's activities for other streams; where GPUs have streams of one number, of all of these."""
    there = Counter(str(activity.stream) for activity in replay.timeline.activities)
    if str(int(stream)) not in there:
        raise UsageError(f"no activity runs on stream {stream}; there is {names_list(_most(there))}")
    if len(there) == 1:
        raise UsageError(f"all activities run on stream {stream}: there is no other for it to wait for")
    waiting = f"{replay.waiting_activities(int(stream)):,} of them waited for another stream"
    alone = {(activity.gpu, activity.stream) for activity in replay.timeline.activities if activity.stream == int(stream)}
    return Change(independent=frozenset(alone)), f"{count(there[str(int(stream))], 'activity')}, {waiting}"


REMOVALS: dict[str, Matcher] = {"cause": match_cause, "nvtx": match_ranges, "line": match_line, "stream": match_stream}


def _most(names: Counter[str]) -> list[str]:
    return [name for name, _ in names.most_common()]


def _without_time(trace: OpenTrace, replay: Replay, hits: list[Interval], what: str) -> Match:
    intervals, steps = Intervals.of(hits), replay.timeline.window.steps
    spent = window_of(trace).each(f"{duration(replay.cpu_ns(intervals) / steps)} of CPU time")
    return Change(removed_wholly=intervals), f"{what} in {count(steps, 'replayed step')}, {spent}; what it launches still runs"
