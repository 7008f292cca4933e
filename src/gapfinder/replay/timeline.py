"""What is replayed: one CPU timeline of launches and waits, and the activities that they submit."""

from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from gapfinder.replay.intervals import Interval
from gapfinder.trace import OpenTrace as Trace

MOST_ACTIVITIES = 100_000  # a second of Python; twenty steps are far fewer
READ_BACK_BYTES = 65536  # a copy back of at most so much is made to be looked at, as in sql/3_gaps/gap_ends.sql
_LAUNCH = attrgetter("launch_start_ns", "launch_end_ns", "global_tid")  # what the activities of one call have in common


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
    pageable: bool
    bytes: int

    @property
    def role(self) -> str:
        """What a copy is for: "read_back copy" (to be looked at), "host copy" (any other from or to the host), else empty."""
        if self.direction == "Device-to-Host":
            return "read_back copy" if self.bytes <= READ_BACK_BYTES else "host copy"
        return "host copy" if self.direction.startswith("Host-to-") else ""


class Call(NamedTuple):
    """A call on the CPU timeline: it launches activities (their places in `Timeline.activities`), or with none waits for the GPU.

    `kind` is what a wait waits for, as in blocking_calls, or the role of the copies that are launched; `for_all` is true of
    waits for everything that was launched before.
    """

    start_ns: int
    end_ns: int
    activities: range
    kind: str
    for_all: bool


@dataclass(frozen=True)
class Part:
    """The part of a window that is replayed: so many steps of one process. `whole` is true where it is all of the window."""

    pid: int
    start_ns: int
    end_ns: int
    steps: int
    whole: bool

    @classmethod
    def of(cls, trace: Trace) -> "Part":
        """The steps that a single trace replays, of its busiest process."""
        return cls(**trace.facts("SELECT pid, start_ns, end_ns, steps, whole FROM replay_window")[0])

    @property
    def starting(self) -> str:
        """The condition, in SQL, that something of the process starts in it."""
        return f"pid = {self.pid} AND start_ns >= {self.start_ns} AND start_ns < {self.end_ns}"

    @property
    def touching(self) -> str:
        """The condition, in SQL, that something of the process is in it."""
        return f"pid = {self.pid} AND end_ns > {self.start_ns} AND start_ns < {self.end_ns}"


@dataclass(frozen=True)
class Timeline:
    """The replayed part of a window.

    It is measured from its start where all of it was launched after that (`from_start`), else from the start of its first activity
    to the end of its last. `spent` is the CPU time that each cause takes, launches aside.
    """

    part: Part
    from_start: bool
    calls: list[Call]
    activities: list[Activity]
    spent: dict[str, list[Interval]]

    @property
    def start_ns(self) -> int:
        """Start of the part, ns since the session began."""
        return self.part.start_ns

    @property
    def end_ns(self) -> int:
        """End of the part, ns since the session began."""
        return self.part.end_ns

    @property
    def steps(self) -> int:
        """Number of steps in it."""
        return self.part.steps

    @property
    def origin_ns(self) -> int:
        """From where it is measured, ns since the session began."""
        return self.start_ns if self.from_start else min(activity.start_ns for activity in self.activities)

    @cached_property
    def last_end_ns(self) -> int:
        """The end of its last activity, ns since the session began."""
        return max(activity.end_ns for activity in self.activities)

    @property
    def measured_ns(self) -> int:
        """What the replay, unchanged, should take."""
        return (max(self.last_end_ns, self.end_ns) if self.from_start else self.last_end_ns) - self.origin_ns

    @classmethod
    def of(cls, trace: Trace, part: Part | None = None) -> "Timeline | None":
        """The timeline of a part of a trace, by default that which a single trace replays.

        None where no launches are known, or of more than `MOST_ACTIVITIES` activities.
        """
        part = part or Part.of(trace)
        rows = trace.tuples(
            f"SELECT {', '.join(Activity._fields)} FROM replay_activities WHERE {part.starting} "
            f"ORDER BY launch_start_ns, launch_end_ns, global_tid, start_ns, activity_id LIMIT {MOST_ACTIVITIES + 1}"
        )
        activities = [Activity._make(row) for row in rows]
        if not 0 < len(activities) <= MOST_ACTIVITIES:
            return None
        calls = [
            Call(start_ns, end_ns, range(0), waits_for, for_all)
            for start_ns, end_ns, waits_for, for_all in trace.tuples(
                f"SELECT start_ns, end_ns, waits_for, for_all FROM replay_waits WHERE {part.touching} ORDER BY start_ns, end_ns"
            )
        ]
        place = 0
        for (start_ns, end_ns, _), group in groupby(activities, key=_LAUNCH):
            launched = list(group)
            roles = {activity.role for activity in launched}
            kind = roles.pop() if len(roles) == 1 else ""
            calls.append(Call(start_ns, end_ns, range(place, place + len(launched)), kind, for_all=False))
            place += len(launched)
        calls.sort(key=lambda call: (call.start_ns, not call.activities))
        # all that these calls and the code around them can cover: of a long trace that is a small part
        first_ns = min(part.start_ns, calls[0].start_ns)
        last_ns = max(part.end_ns, *(call.end_ns for call in calls))
        spent: dict[str, list[Interval]] = {}
        for cause, start_ns, end_ns in trace.tuples(
            "SELECT cause, start_ns, end_ns FROM replay_removals "
            f"WHERE pid = {part.pid} AND end_ns > {first_ns} AND start_ns < {last_ns}"
        ):
            spent.setdefault(cause, []).append((start_ns, end_ns))
        from_start = part.whole and activities[0].launch_start_ns >= part.start_ns
        return cls(part, from_start, calls, activities, spent)

    def cut(self, start_ns: int, end_ns: int, steps: int) -> "Timeline":
        """What starts in a part of it, which is so many steps long."""
        kept = [place for place, activity in enumerate(self.activities) if start_ns <= activity.start_ns < end_ns]
        places = {place: new for new, place in enumerate(kept)}
        activities = [self.activities[place] for place in kept]
        calls = []
        for call in self.calls:
            own = [places[place] for place in call.activities if place in places]
            if own:
                calls.append(call._replace(activities=range(own[0], own[-1] + 1)))
            elif not call.activities and call.end_ns > start_ns and call.start_ns < end_ns:
                calls.append(call)
        from_start = bool(activities) and activities[0].launch_start_ns >= start_ns
        return Timeline(Part(self.part.pid, start_ns, end_ns, steps, whole=False), from_start, calls, activities, self.spent)
