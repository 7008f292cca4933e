"""The CPU side of a replay: the time between calls and in calls, and the activities that calls wait for."""

from bisect import bisect_right
from collections.abc import Iterable
from itertools import repeat

import numpy as np

from gapfinder.replay.change import Change
from gapfinder.replay.intervals import NO_TIME, Array, Intervals
from gapfinder.replay.timeline import BATCH, Call, Timeline

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
# ready_ns: when somebody else has what it waits for, ns since the session began; -inf if it waits for nobody else
ReplayedCall = tuple[float, range, float, int | None, int, bool, float]


class CpuPath:
    """The calls of a timeline and the code between them. It starts at `first_ns`; a usual launch takes `launch_ns`."""

    def __init__(self, timeline: Timeline, first_ns: int, launch_ns: float) -> None:
        self._timeline = timeline
        self._removable = NO_TIME
        for spent in timeline.cpu_intervals.values():
            self._removable |= spent
        calls = np.array([(call.start_ns, call.end_ns) for call in timeline.calls], np.int64).reshape(-1, 2)
        # calls of several threads may overlap: each begins when those before it have returned
        reached_ns = np.maximum.accumulate(np.append(first_ns, calls.max(axis=1)))
        self._reached_ns, self._end_ns = reached_ns[:-1], reached_ns[1:]
        self._start_ns = np.maximum(self._reached_ns, calls[:, 0])
        self.shift_ns = self._start_ns - calls[:, 0]  # how much later each call begins here than it did
        # how much later than the window the last call returns; negative if it returns before
        self._overhang_ns = int(reached_ns[-1]) - timeline.window.end_ns
        self._by_end = sorted(range(len(timeline.activities)), key=lambda index: timeline.activities[index].end_ns)
        measured = map(self._measured, timeline.calls, self._start_ns.tolist(), self._end_ns.tolist(), repeat(launch_ns))
        own_ns, self._until, returns_ns = zip(*measured, strict=True)
        self._own_ns = np.array(own_ns, np.float64)
        self._returns_ns = np.array(returns_ns, np.int64)
        self._activities = [call.activities for call in timeline.calls]
        self._launches = np.array([len(activities) > 0 for activities in self._activities])
        self._blocks = np.array([until is not None for until in self._until])
        self._handed_over = np.array([call.kind == BATCH for call in timeline.calls])

    def under(self, change: Change) -> tuple[Iterable[ReplayedCall], float]:
        """Each call with this change, and the time of the code from the last call to the window's end, ns.

        With `as_graph`, consecutive launches become one graph, which costs only the CPU time that causes other than launches
        take. A graph ends where the CPU waits for the GPU (a capture is not possible there) or runs code of its own.

        A batch is ready when it was: whoever makes it is busy all the time, and does not become faster with the rest.
        """
        removed = change.removed | change.removed_wholly
        code_ns = self._start_ns - self._reached_ns
        own_ns = np.maximum(self._own_ns - change.removed_wholly.within(self._start_ns, self._end_ns), 0)
        left_out, not_blocking = change.left_out, change.not_blocking | change.left_out
        is_made = np.array([call.kind not in left_out for call in self._timeline.calls])
        can_block = np.array([call.kind not in not_blocking for call in self._timeline.calls])
        blocks = self._blocks & can_block & (not change.at_once)
        in_graph = np.zeros(len(code_ns), np.bool_)
        if change.as_graph:
            in_graph = self._in_graph(blocks | (is_made & ~self._launches))
            stays_ns = (self._removable | removed).within(self._reached_ns, self._start_ns)
            code_ns = np.where(in_graph, stays_ns, code_ns)
        code_ns = code_ns - removed.within(self._reached_ns, self._start_ns)
        gone_ns = removed.within(self._start_ns, self._end_ns)
        waited_for = self._handed_over & (2 * gone_ns < self._end_ns - self._start_ns) & (not change.at_once)
        own_ns = np.where(self._handed_over, np.maximum(self._own_ns - gone_ns, 0), own_ns)
        own_ns[in_graph | ~is_made | waited_for] = 0
        factor = 0.0 if change.at_once else change.cpu_factor
        calls = zip(
            (code_ns * factor).tolist(),
            self._activities,
            (own_ns * factor).tolist(),
            [until if waits else None for until, waits in zip(self._until, blocks.tolist(), strict=True)],
            self._returned_ns(change).tolist(),
            in_graph.tolist(),
            np.where(waited_for, self._end_ns, -np.inf).tolist(),
            strict=True,
        )
        if self._overhang_ns > 0:
            return calls, -self._overhang_ns
        last_gone_ns = removed.within(self._end_ns[-1:], np.array([self._timeline.window.end_ns]))
        return calls, (-self._overhang_ns - int(last_gone_ns[0])) * factor

    def _returned_ns(self, change: Change) -> Array:
        """How much later each call that blocks returns than what it waits for ends, ns."""
        gone_ns = change.removed_wholly.within(self._end_ns - np.maximum(self._returns_ns, 0), self._end_ns)
        return self._returns_ns - gone_ns

    def _in_graph(self, waits: Array) -> Array:
        """Whether each call continues a CUDA graph that a launch before it began."""
        own_work = self._start_ns - self._reached_ns >= self._timeline.own_work_ns
        in_graph = []
        is_open = False
        for waits_here, ends, launches in zip(waits.tolist(), (waits | own_work).tolist(), self._launches.tolist(), strict=True):
            in_graph.append(is_open and not ends)
            is_open = not waits_here and (in_graph[-1] or launches)
        return np.array(in_graph)

    def spent_ns(self, intervals: Intervals) -> int:
        """The CPU time in these intervals without waits for the GPU, ns."""
        in_calls = intervals.within(self._start_ns, self._end_ns)[self._own_ns != 0]
        return int(intervals.within(self._reached_ns, self._start_ns).sum() + in_calls.sum())

    def _measured(self, call: Call, start_ns: int, end_ns: int, launch_ns: float) -> tuple[float, int | None, int]:
        """The own_ns, until and returns_ns of a call from `start_ns` to `end_ns`, as it was measured."""
        activities = self._timeline.activities
        own_ns: float = end_ns - start_ns
        if call.kind == BATCH:
            return own_ns, None, 0
        if not call.activities:
            until = self._last_ended(start_ns, end_ns, for_all=call.for_all)
            if until is None or activities[until].end_ns <= start_ns:
                return own_ns, until, int(own_ns)
            return 0, until, call.end_ns - activities[until].end_ns
        last = activities[call.activities[-1]]
        if last.blocking and last.end_ns <= call.end_ns + RETURNS_WITHIN_NS:
            return 0, call.activities[-1], call.end_ns - last.end_ns
        if own_ns >= QUEUE_FULL_NS and last.start_ns - end_ns >= QUEUE_FULL_NS:
            own_ns = launch_ns
        return own_ns, None, 0

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
