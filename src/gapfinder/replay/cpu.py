"""The CPU side of a replay: the time between calls and in calls, and the activities that calls wait for."""

from bisect import bisect_right

from gapfinder.replay.change import Change
from gapfinder.replay.intervals import Interval, covered, merged
from gapfinder.replay.timeline import Timeline

QUEUE_FULL_NS = 200_000  # a launch that takes longer, and whose activity starts that much later, waits because the queue is full
RETURNS_WITHIN_NS = 20_000  # a copy call that blocked returns within this time after the end of its copy
MAX_LOOK_BACK = 1_000  # activities that are checked to find the one that a wait waits for


# A call in a replay, as a plain tuple because a replay makes one for each call:
# code_ns: the time of the code before the call
# activities: the indices of the activities that it launches
# own_ns: the time of the call itself
# until: the index of the activity whose end it waits for, or None
# returns_ns: how much later than that end it returns
# in_graph: whether one CUDA graph submits its activities with those before
Stage = tuple[float, range, float, int | None, int, bool]


class CpuPath:
    """The calls of a timeline and the code between them. It starts at `first_ns`; a usual launch takes `launch_ns`."""

    def __init__(self, timeline: Timeline, first_ns: int, launch_ns: float) -> None:
        self._timeline = timeline
        self._removable = merged(interval for intervals in timeline.cpu_intervals.values() for interval in intervals)
        self._code: list[Interval] = []
        self._own: list[Interval] = []
        reached_ns = first_ns
        for call in timeline.calls:
            start_ns = max(reached_ns, call.start_ns)
            self._code.append((reached_ns, start_ns))
            reached_ns = max(start_ns, call.end_ns)
            self._own.append((start_ns, reached_ns))
        self._code.append((reached_ns, max(reached_ns, timeline.end_ns)))
        self._overhang_ns = (
            reached_ns - timeline.end_ns
        )  # how much later than the window the last call returns; negative if it returns before
        self._by_end = sorted(range(len(timeline.activities)), key=lambda index: timeline.activities[index].end_ns)
        self._measured = [self._stage(index, launch_ns) for index in range(len(timeline.calls))]

    def under(self, change: Change) -> tuple[list[Stage], float]:
        """Each call with this change, and the time of the code from the last call to the window's end, ns.

        With `as_graph`, consecutive launches become one graph, which costs only the CPU time that causes other than launches
        take. A graph ends where the CPU waits for the GPU (a capture is not possible there) or runs code of its own.
        """
        wholly = merged(change.removed_wholly)
        removed = merged([*change.removed, *wholly]) if change.removed else wholly
        gone = covered(self._code, removed)
        gone_in_calls = covered(self._own, wholly)
        stays_in_graph = covered(self._code, merged([*self._removable, *removed])) if change.as_graph else {}
        left_out = change.left_out
        factor = 0.0 if change.at_once else change.cpu_factor
        stages = []
        in_graph = False
        for index, (call, measured) in enumerate(zip(self._timeline.calls, self._measured, strict=True)):
            code_ns, activities, own_ns, until, returns_ns, _ = measured
            is_made = call.kind not in left_out
            if not is_made or change.at_once:
                until = None
            waits = is_made and (until is not None or not activities)
            continues_graph = in_graph and not waits and code_ns < self._timeline.own_work_ns
            code_ns = (stays_in_graph.get(index, 0) if continues_graph else code_ns) - gone.get(index, 0)
            own_ns = max(0.0, own_ns - gone_in_calls.get(index, 0)) if is_made and not continues_graph else 0.0
            stages.append((code_ns * factor, activities, own_ns * factor, until, returns_ns, continues_graph))
            in_graph = change.as_graph and not waits and (continues_graph or len(activities) > 0)
        if self._overhang_ns > 0:
            return stages, -self._overhang_ns
        return stages, (-self._overhang_ns - gone.get(len(stages), 0)) * factor

    def spent_ns(self, intervals: list[Interval]) -> int:
        """The CPU time in these intervals (disjoint, in order) without waits for the GPU, ns."""
        in_calls = covered(self._own, intervals)
        waits = sum(ns for index, ns in in_calls.items() if self._measured[index][2] == 0)
        return sum(covered(self._code, intervals).values()) + sum(in_calls.values()) - waits

    def _stage(self, index: int, launch_ns: float) -> Stage:
        """A call as it was measured, without a change."""
        call, activities = self._timeline.calls[index], self._timeline.activities
        code_ns = self._code[index][1] - self._code[index][0]
        start_ns, end_ns = self._own[index]
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
        """The index of the activity that a wait waits for: of those launched before the wait, the last that ends before it ends.

        The activity must also end after the start of the wait, unless the wait is for all activities.
        """
        activities = self._timeline.activities
        reached = bisect_right(self._by_end, end_ns, key=lambda index: activities[index].end_ns)
        for index in reversed(self._by_end[max(0, reached - MAX_LOOK_BACK) : reached]):
            if activities[index].end_ns <= start_ns and not for_all:
                return None
            if activities[index].launch_start_ns <= start_ns:
                return index
        return None
