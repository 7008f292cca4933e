"""The CPU's side of a replay: what it spends between calls and in them, and which activities it waits for."""

from bisect import bisect_right

from gapfinder.replay.change import Change
from gapfinder.replay.intervals import Interval, covered, merged
from gapfinder.replay.timeline import Timeline

LAUNCH_PATH_NS = 1_000_000  # code between two launches for longer is the program's own, as in sql/3_gaps/segments.sql
QUEUE_FULL_NS = 200_000  # a launch that takes longer, of an activity that starts so much later, waits for a place in the queue
RETURNS_WITHIN_NS = 20_000  # of its copy's end: so a copy call that blocked returns
LOOKED_BACK = 1_000  # at most so many activities are looked at for the one that a wait waits for


# A call as it is replayed: the code before it (ns), the activities that it launches, its own time (ns); the activity whose end it
# waits for, and how much later it returns (ns); and whether a graph submits its activities together with those before. A plain
# tuple, since a replay makes one for each call.
Stage = tuple[float, range, float, int | None, int, bool]


class CpuPath:
    """The calls of a timeline and the code between them. It begins at `first_ns`; a usual launch takes `launch_ns`."""

    def __init__(self, timeline: Timeline, first_ns: int, launch_ns: float) -> None:
        self._timeline = timeline
        self._taken = merged(interval for intervals in timeline.spent.values() for interval in intervals)
        self._code: list[Interval] = []
        self._own: list[Interval] = []
        reached_ns = first_ns
        for call in timeline.calls:
            start_ns = max(reached_ns, call.start_ns)
            self._code.append((reached_ns, start_ns))
            reached_ns = max(start_ns, call.end_ns)
            self._own.append((start_ns, reached_ns))
        self._code.append((reached_ns, max(reached_ns, timeline.end_ns)))
        self._beyond_ns = reached_ns - timeline.end_ns  # a call may return after the window
        self._ended = sorted(range(len(timeline.activities)), key=lambda place: timeline.activities[place].end_ns)
        self._measured = [self._stage(place, launch_ns) for place in range(len(timeline.calls))]

    def under(self, change: Change) -> tuple[list[Stage], float]:
        """Each call as it is with this change, and the code after the last one up to the window's end, ns.

        A graph goes on from launch to launch and costs no CPU time but what other causes than launches take. It ends where
        the CPU waits for the GPU (a capture fails there) or runs code of its own.
        """
        wholly = merged(change.removed_wholly)
        removed = merged([*change.removed, *wholly]) if change.removed else wholly
        gone = covered(self._code, removed)
        gone_in_calls = covered(self._own, wholly)
        taken = covered(self._code, merged([*self._taken, *removed])) if change.as_graph else {}
        left_out = change.left_out
        factor = 0.0 if change.at_once else change.cpu_factor
        stages = []
        graph = False
        for place, (call, measured) in enumerate(zip(self._timeline.calls, self._measured, strict=True)):
            code_ns, activities, own_ns, until, returns_ns, _ = measured
            stays = call.kind not in left_out
            if not stays or change.at_once:
                until = None
            waits = stays and (until is not None or not activities)
            goes_on = graph and not waits and code_ns < LAUNCH_PATH_NS
            code_ns = (taken.get(place, 0) if goes_on else code_ns) - gone.get(place, 0)
            own_ns = max(0.0, own_ns - gone_in_calls.get(place, 0)) if stays and not goes_on else 0.0
            stages.append((code_ns * factor, activities, own_ns * factor, until, returns_ns, goes_on))
            graph = change.as_graph and not waits and (goes_on or len(activities) > 0)
        if self._beyond_ns > 0:
            return stages, -self._beyond_ns
        return stages, (-self._beyond_ns - gone.get(len(stages), 0)) * factor

    def spent_ns(self, intervals: list[Interval]) -> int:
        """CPU time in these intervals (disjoint, in order) that is not spent waiting for the GPU, ns."""
        in_calls = covered(self._own, intervals)
        waits = sum(ns for place, ns in in_calls.items() if self._measured[place][2] == 0)
        return sum(covered(self._code, intervals).values()) + sum(in_calls.values()) - waits

    def _stage(self, place: int, launch_ns: float) -> Stage:
        """A call as it was measured."""
        call, activities = self._timeline.calls[place], self._timeline.activities
        code_ns = self._code[place][1] - self._code[place][0]
        start_ns, end_ns = self._own[place]
        own_ns: float = end_ns - start_ns
        if not call.activities:
            until = self._last_ended(start_ns, end_ns, for_all=call.for_all)
            if until is None or activities[until].end_ns <= start_ns:
                return code_ns, call.activities, own_ns, until, int(own_ns), False
            return code_ns, call.activities, 0, until, call.end_ns - activities[until].end_ns, False
        last = activities[call.activities[-1]]
        if last.pageable and last.end_ns <= call.end_ns + RETURNS_WITHIN_NS:
            return code_ns, call.activities, 0, call.activities[-1], call.end_ns - last.end_ns, False
        if own_ns >= QUEUE_FULL_NS and last.start_ns - end_ns >= QUEUE_FULL_NS:
            own_ns = launch_ns
        return code_ns, call.activities, own_ns, None, 0, False

    def _last_ended(self, start_ns: int, end_ns: int, *, for_all: bool) -> int | None:
        """The activity that a wait waits for: of those launched before it, the last that ends before the wait does.

        It also ends after the start of the wait, unless the wait is for all.
        """
        activities = self._timeline.activities
        reached = bisect_right(self._ended, end_ns, key=lambda activity: activities[activity].end_ns)
        for at in range(reached - 1, max(0, reached - LOOKED_BACK) - 1, -1):
            activity = self._ended[at]
            if activities[activity].end_ns <= start_ns and not for_all:
                return None
            if activities[activity].launch_start_ns <= start_ns:
                return activity
        return None
