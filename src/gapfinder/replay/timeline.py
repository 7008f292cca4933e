"""The input of a replay: one CPU timeline of launches and waits, and the activities that they submit."""

from bisect import bisect_left, insort
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, groupby
from operator import attrgetter
from typing import NamedTuple

from gapfinder.replay.intervals import Interval, Intervals
from gapfinder.trace import OpenTrace

BATCH = "batch"  # the kind of a call that waits until somebody else has made a batch
_LAUNCH = attrgetter("launch_start_ns", "launch_end_ns", "global_tid")  # equal for the activities of one call
_ORDER = ("launch_start_ns", "launch_end_ns", "global_tid", "start_ns", "activity_id")  # of activities, as they are submitted


def most_replayed(trace: OpenTrace) -> int:
    """How many activities a replay may have."""
    ((most,),) = trace.tuples("SELECT most_replayed()")
    return int(most)


def has_too_many(trace: OpenTrace) -> bool:
    """Whether there are more activities than a replay may have."""
    return bool(trace.tuples(f"SELECT 1 FROM replay_activities LIMIT 1 OFFSET {most_replayed(trace)}"))


def why_not_replayed(trace: OpenTrace) -> str:
    """Why a trace has no timeline to replay, as the end of a sentence."""
    if has_too_many(trace):
        return f"what would be replayed has more than {most_replayed(trace):,} activities (choose a part of it with --window)"
    return "there is no launch in it"


class Activity(NamedTuple):
    """A row of `replay_activities`; times in ns."""

    activity_id: int
    kind: str
    gpu: int
    stream: int
    global_tid: int
    start_ns: int
    end_ns: int
    launch_start_ns: int
    launch_end_ns: int
    all_arrived_ns: int
    direction: str
    role: str
    pageable: bool
    blocking: bool
    bytes: int


class Call(NamedTuple):
    """A call on the CPU timeline.

    It launches activities (indices in `Timeline.activities`); if it launches none, it waits for the GPU, or for a batch.

    `kind` is the kind of a wait, as in the relation replay_waits, `BATCH`, or the role of the launched copies. `for_all` is
    true for a wait for everything that was launched before.
    """

    start_ns: int
    end_ns: int
    activities: range
    kind: str
    for_all: bool


@dataclass(frozen=True)
class ReplayWindow:
    """The part of a window that is replayed: `steps` steps of one process. `whole` is true if it is a whole regime.

    `pid` is None if no activity has a process.
    """

    pid: int | None
    start_ns: int
    end_ns: int
    steps: int
    whole: bool

    @classmethod
    def of(cls, trace: OpenTrace) -> "ReplayWindow":
        """The window that the diagnosis of one trace replays: steps of its busiest process."""
        return cls(**trace.id_rows("SELECT pid, start_ns, end_ns, steps, whole FROM replay_window")[0])

    @property
    def starting(self) -> str:
        """The SQL condition for rows of the process that start in the window."""
        return f"pid = {self.pid} AND start_ns >= {self.start_ns} AND start_ns < {self.end_ns}"

    @property
    def touching(self) -> str:
        """The SQL condition for rows of the process that overlap the window."""
        return f"pid = {self.pid} AND end_ns > {self.start_ns} AND start_ns < {self.end_ns}"


@dataclass(frozen=True)
class Timeline:
    """The replayed part of a window.

    The last activity begins the next step, without its length, if one starts as the window ends: the last gap is replayed, too.
    If `from_start`, the length is measured from the window's start: all activities were launched after that. Otherwise it is
    measured from the start of the first activity to the end of the last. `cpu_intervals` is when each
    cause takes CPU time, without launches. Code between two launches for `own_work_ns` or longer is the program's own.
    `usual_launch_ns` is the usual time from a launch to the start of its activity.
    """

    window: ReplayWindow
    from_start: bool
    calls: list[Call]
    activities: list[Activity]
    cpu_intervals: dict[str, Intervals]
    own_work_ns: int
    usual_launch_ns: float

    @property
    def origin_ns(self) -> int:
        """Where the measured time starts, ns since the session began."""
        return self.window.start_ns if self.from_start else min(activity.start_ns for activity in self.activities)

    @cached_property
    def last_end_ns(self) -> int:
        """The end of the last activity, ns since the session began."""
        return max(activity.end_ns for activity in self.activities)

    @property
    def step_ns(self) -> float:
        """The measured time of a step, as the mean, ns."""
        return (self.window.end_ns - self.window.start_ns) / self.window.steps

    @property
    def measured_ns(self) -> int:
        """The measured time, which the unchanged replay should give, ns."""
        return (max(self.last_end_ns, self.window.end_ns) if self.from_start else self.last_end_ns) - self.origin_ns

    @classmethod
    def of(cls, trace: OpenTrace, window: ReplayWindow | None = None) -> "Timeline | None":
        """The timeline of a window; by default of the one that the diagnosis of one trace replays.

        None if the trace holds no launches there, or more activities than a replay may have.
        """
        window = window or ReplayWindow.of(trace)
        if window.pid is None:
            return None
        most = most_replayed(trace)
        rows = trace.tuples(
            f"SELECT {', '.join(Activity._fields)} FROM replay_activities WHERE {window.starting} "
            f"ORDER BY {', '.join(_ORDER)} LIMIT {most + 1}"
        )
        activities = [Activity._make(row) for row in rows]
        if not 0 < len(activities) <= most:
            return None
        calls = [
            Call(start_ns, end_ns, range(0), waits_for, for_all)
            for start_ns, end_ns, waits_for, for_all in trace.tuples(
                f"SELECT start_ns, end_ns, waits_for, for_all FROM replay_waits WHERE {window.touching} ORDER BY start_ns, end_ns"
            )
        ]
        if next_step := _next_step(trace, window, {activity.gpu for activity in activities}):
            insort(activities, next_step, key=attrgetter(*_ORDER))
        index = 0
        for (start_ns, end_ns, _), group in groupby(activities, key=_LAUNCH):
            launched = list(group)
            roles = {activity.role for activity in launched}
            kind = roles.pop() if len(roles) == 1 else ""
            calls.append(Call(start_ns, end_ns, range(index, index + len(launched)), kind, for_all=False))
            index += len(launched)
        calls.sort(key=_in_order)
        calls = sorted([*calls, *_batches(trace, window, calls)], key=_in_order)
        # the calls and the code around them lie in this range, which is a small part of a long trace
        first_ns = min(window.start_ns, calls[0].start_ns)
        last_ns = max(window.end_ns, *(call.end_ns for call in calls))
        removals: dict[str, list[Interval]] = {}
        for cause, start_ns, end_ns in trace.tuples(
            "SELECT cause, start_ns, end_ns FROM replay_removals "
            f"WHERE pid = {window.pid} AND end_ns > {first_ns} AND start_ns < {last_ns}"
        ):
            removals.setdefault(cause, []).append((start_ns, end_ns))
        cpu_intervals = {cause: Intervals.of(intervals) for cause, intervals in removals.items()}
        from_start = window.whole and activities[0].launch_start_ns >= window.start_ns
        ((own_work_ns, usual_launch_ns),) = trace.tuples("SELECT own_work_ns(), usual_ns FROM launch_latency")
        return cls(window, from_start, calls, activities, cpu_intervals, own_work_ns, usual_launch_ns)

    def cut(self, start_ns: int, end_ns: int, steps: int) -> "Timeline":
        """The timeline of a shorter window: what starts from `start_ns` to `end_ns`, which are `steps` steps."""
        kept = [index for index, activity in enumerate(self.activities) if start_ns <= activity.start_ns < end_ns]
        new_index = {index: new for new, index in enumerate(kept)}
        activities = [self.activities[index] for index in kept]
        calls = []
        for call in self.calls:
            own = [new_index[index] for index in call.activities if index in new_index]
            if own:
                calls.append(call._replace(activities=range(own[0], own[-1] + 1)))
            elif not call.activities and call.end_ns > start_ns and call.start_ns < end_ns:
                calls.append(call)
        from_start = bool(activities) and activities[0].launch_start_ns >= start_ns
        window = ReplayWindow(self.window.pid, start_ns, end_ns, steps, whole=False)
        return replace(self, window=window, from_start=from_start, calls=calls, activities=activities)


def _next_step(trace: OpenTrace, window: ReplayWindow, gpus: set[int]) -> Activity | None:
    """The activity that begins the next step, without its length: where it starts, the last gap of the window ends.

    None if no activity of the process starts on these GPUs as the window ends.
    """
    rows = trace.tuples(
        "SELECT activity_id, kind, gpu, stream, global_tid, start_ns, start_ns AS end_ns, launch_start_ns, launch_end_ns, "
        "start_ns AS all_arrived_ns, '' AS direction, '' AS role, false AS pageable, false AS blocking, 0 AS bytes "
        f"FROM activities WHERE pid = {window.pid} AND start_ns = {window.end_ns} AND launch_start_ns IS NOT NULL "
        f"AND gpu IN ({', '.join(map(str, gpus))}) ORDER BY activity_id LIMIT 1"
    )
    return Activity._make(rows[0]) if rows else None


def _in_order(call: Call) -> tuple[int, bool]:
    return call.start_ns, not call.activities


def _batches(trace: OpenTrace, window: ReplayWindow, calls: list[Call]) -> list[Call]:
    """The waits for batches in which no thread makes another of the `calls`, which are sorted by their start."""
    starts_ns = [call.start_ns for call in calls]
    reached_ns = list(accumulate((call.end_ns for call in calls), max, initial=starts_ns[0]))
    return [
        Call(start_ns, end_ns, range(0), BATCH, for_all=False)
        for start_ns, end_ns in trace.tuples(
            f"SELECT start_ns, end_ns FROM replay_batches WHERE {window.touching} ORDER BY start_ns, end_ns"
        )
        if reached_ns[bisect_left(starts_ns, end_ns)] <= start_ns
    ]
