"""Matches the arguments of `--speed-up` with a trace.

Each gives a change of the replay, and a sentence that says what matched.
"""

from collections import Counter
from collections.abc import Iterable

from gapfinder.diagnosis.window import window_of
from gapfinder.errors import UsageError, did_you_mean
from gapfinder.replay.change import Change
from gapfinder.replay.intervals import Intervals
from gapfinder.replay.replay import Replay
from gapfinder.replay.timeline import Activity
from gapfinder.trace import OpenTrace
from gapfinder.units import count, duration, names_list
from gapfinder.whatif.grammar import DIRECTIONS, matches
from gapfinder.whatif.removals import Match


def match_kernels(trace: OpenTrace, replay: Replay, name: str, factor: float) -> Match:
    """Scale the time of kernels, by name or wildcard: they take `factor` times as long."""
    names = {
        row["activity_id"]: row["name"]
        for row in trace.id_rows(f"SELECT activity_id, name FROM replay_kernels WHERE {replay.timeline.window.starting}")
    }
    kernels = [activity for activity in replay.timeline.activities if activity.activity_id in names]
    hits = [activity for activity in kernels if matches(names[activity.activity_id], name)]
    if not hits:
        longest: Counter[str] = Counter()
        for activity in kernels:
            longest[names[activity.activity_id]] += activity.end_ns - activity.start_ns
        there = names_list([name for name, _ in longest.most_common()])
        raise UsageError(f"no kernel is named {name!r}{did_you_mean(name, longest)}; there is {there}")
    different = count(len({names[activity.activity_id] for activity in hits}), "kernel")
    return _scaled(trace, replay, hits, factor, f"{different}, {count(len(hits), 'activity')}")


def match_copies(trace: OpenTrace, replay: Replay, direction: str, factor: float) -> Match:
    """Scale the time of all copies, or those of one direction: they take `factor` times as long."""
    copies = [activity for activity in replay.timeline.activities if activity.direction not in {"", "Memset"}]
    hits = [activity for activity in copies if activity.direction == DIRECTIONS.get(direction, activity.direction)]
    if not hits:
        there = sorted(name for name, value in DIRECTIONS.items() if any(activity.direction == value for activity in copies))
        raise UsageError(f"no copy of that direction is in this trace; there is {names_list(there)}")
    return _scaled(trace, replay, hits, factor, count(len(hits), "copy"))


def match_cpu(trace: OpenTrace, replay: Replay, _: str, factor: float) -> Match:
    """Scale all CPU time without waits for the GPU: it takes `factor` times as long."""
    spent_ns = (
        replay.cpu_ns(Intervals.of([(replay.timeline.window.start_ns, replay.timeline.window.end_ns)]))
        / replay.timeline.window.steps
    )
    return Change(cpu_factor=factor), window_of(trace).each(f"{duration(spent_ns)} of CPU time")


SPEED_UPS = {"kernel": match_kernels, "copy": match_copies, "cpu": match_cpu}


def _scaled(trace: OpenTrace, replay: Replay, activities: Iterable[Activity], factor: float, what: str) -> Match:
    activities = list(activities)
    spent_ns = sum(activity.end_ns - activity.start_ns for activity in activities) / replay.timeline.window.steps
    return Change(
        activity_factors={activity.activity_id: factor for activity in activities}
    ), f"{what}, {window_of(trace).each(duration(spent_ns))}"
