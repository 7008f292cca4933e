"""What `--speed-up` means in a trace: the change of the replay, and in words what was found."""

from collections import Counter
from collections.abc import Iterable
from fnmatch import fnmatchcase

from gapfinder.errors import UsageError
from gapfinder.replay.change import Change
from gapfinder.replay.replay import Replay
from gapfinder.replay.timeline import Activity
from gapfinder.trace import OpenTrace
from gapfinder.units import count, duration
from gapfinder.whatif.grammar import DIRECTIONS
from gapfinder.whatif.removals import Found, listed


def find_kernels(trace: OpenTrace, replay: Replay, name: str, factor: float) -> Found:
    """Kernels by name or wildcard, `factor` times as long."""
    names = {
        row["activity_id"]: row["name"]
        for row in trace.facts(f"SELECT activity_id, name FROM replay_kernels WHERE {replay.timeline.part.starting}")
    }
    kernels = [activity for activity in replay.timeline.activities if activity.activity_id in names]
    hits = [activity for activity in kernels if fnmatchcase(names[activity.activity_id], name)]
    if not hits:
        longest: Counter[str] = Counter()
        for activity in kernels:
            longest[names[activity.activity_id]] += activity.end_ns - activity.start_ns
        raise UsageError(f"no kernel is named {name!r}; there is {listed([name for name, _ in longest.most_common()])}")
    different = count(len({names[activity.activity_id] for activity in hits}), "kernel")
    return _scaled(replay, hits, factor, f"{different}, {count(len(hits), 'activity')}")


def find_copies(trace: OpenTrace, replay: Replay, which: str, factor: float) -> Found:  # noqa: ARG001  the same for every subject
    """Copies, all or of one direction, `factor` times as long."""
    copies = [activity for activity in replay.timeline.activities if activity.direction in DIRECTIONS.values()]
    hits = [activity for activity in copies if activity.direction == DIRECTIONS.get(which, activity.direction)]
    if not hits:
        there = sorted(
            name for name, direction in DIRECTIONS.items() if any(activity.direction == direction for activity in copies)
        )
        raise UsageError(f"no copy of that direction is in this trace; there is {listed(there)}")
    return _scaled(replay, hits, factor, f"{len(hits):,} copies" if len(hits) > 1 else "1 copy")


def find_cpu(trace: OpenTrace, replay: Replay, which: str, factor: float) -> Found:  # noqa: ARG001  the same for every subject
    """All CPU time that is not spent waiting, `factor` times as long."""
    spent_ns = replay.cpu_ns([(replay.timeline.start_ns, replay.timeline.end_ns)]) / replay.timeline.steps
    return Change(cpu_factor=factor), f"{duration(spent_ns)} of CPU time a step"


SPEED_UPS = {"kernel": find_kernels, "copy": find_copies, "cpu": find_cpu}


def _scaled(replay: Replay, activities: Iterable[Activity], factor: float, what: str) -> Found:
    activities = list(activities)
    spent_ns = sum(activity.end_ns - activity.start_ns for activity in activities) / replay.timeline.steps
    return Change(
        activity_factors={activity.activity_id: factor for activity in activities}
    ), f"{what}, {duration(spent_ns)} a step"
