"""The replay of a timeline. Without a change it gives the measured time.

Calls run in order, with the CPU time between them. An activity starts when it was launched, its stream is free, and the activity
that it waits for has ended. Some calls wait for the GPU.
"""

from collections.abc import Collection, Generator
from functools import cached_property
from math import inf

import numpy as np

from gapfinder.replay.bounds import Bounds
from gapfinder.replay.change import Change
from gapfinder.replay.cpu import CpuPath
from gapfinder.replay.dependencies import USUAL_QUEUE_NS, delays
from gapfinder.replay.intervals import Array, Intervals
from gapfinder.replay.timeline import Timeline

GRAPH_NODE_NS = 107  # between two nodes of a CUDA graph: 1.2 ms for 16 x 720 nodes (cuda_graph_nodes, H200)


class Replay:
    """A timeline that is prepared once and replayed many times, each time with another change."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self._origin_ns = timeline.origin_ns
        self._delays = delays(timeline.activities, self._origin_ns, timeline.usual_launch_ns)
        numbers: dict[tuple[int, int], int] = {}
        self._streams = [numbers.setdefault((activity.gpu, activity.stream), len(numbers)) for activity in timeline.activities]
        self._first_ns = timeline.window.start_ns if timeline.from_start else timeline.activities[0].launch_start_ns
        self._cpu = CpuPath(timeline, self._first_ns, self._delays.launch_ns)
        # where calls of two threads follow each other here, the activities of the later one start that much sooner after it
        shift_ns = np.repeat(self._cpu.shift_ns, [len(call.activities) for call in timeline.calls])
        measured_ns = np.array(self._delays.after_launch)
        self._after_launch = np.maximum(measured_ns - shift_ns, np.minimum(measured_ns, self._delays.launch_ns))
        self._measured: list[float | None] = [activity.end_ns - activity.start_ns for activity in timeline.activities]
        self._not_compute = [
            (index, activity, activity.role) for index, activity in enumerate(timeline.activities) if activity.kind != "compute"
        ]
        self._bounds = Bounds(timeline.activities)

    @cached_property
    def unchanged_ns(self) -> float:
        """The length of the replay without a change, ns."""
        return self.length_ns(Change())

    @property
    def error(self) -> float:
        """The difference between the unchanged replay and the measured time, as a share of the measured time."""
        return self.unchanged_ns / self.timeline.measured_ns - 1

    def saved_ns(self, from_ns: float, to_ns: float) -> float:
        """What one replayed step saves where the whole replay takes `to_ns` instead of `from_ns`."""
        return (from_ns - to_ns) / self.unchanged_ns * self.timeline.step_ns

    def cpu_ns(self, intervals: Intervals) -> int:
        """The CPU time in these intervals without waits for the GPU, ns."""
        return self._cpu.spent_ns(intervals)

    def waiting_activities(self, stream: int) -> int:
        """The number of activities on the streams of this number that waited for another stream."""
        return sum(self.timeline.activities[index].stream == stream for index in self._delays.needs)

    def length_ns(self, change: Change) -> float:
        """The length of the replay with this change, ns. It is defined as `Timeline.measured_ns` is."""
        try:
            next(self.run(change))
        except StopIteration as stop:
            length_ns: float = stop.value
            return length_ns
        raise AssertionError("a replay without barriers does not yield")

    def run(self, change: Change, barriers: Collection[int] = ()) -> Generator[tuple[int, float], float, float]:
        """Replay one rank of several. It returns the length, ns.

        At each activity whose index is in `barriers`, it yields the index and the start of the activity, and expects to be sent
        its end; both are ns since the session began.
        """
        calls, code_after_ns = self._cpu.under(change)
        lengths = self._lengths(change)
        after_launch = self._given_back(self._not_held_up(change), change)
        after_stream, needs = self._given_back(self._after_stream(change), change), self._needs(change)
        ended = [-inf] * len(lengths)
        free = list(self._occupied)
        cpu_ns = float(self._first_ns)
        for code_ns, activities, own_ns, until, returns_ns, in_graph, ready_ns in calls:
            cpu_ns += code_ns
            for index in activities:
                length_ns = lengths[index]
                if length_ns is None:
                    ended[index] = cpu_ns
                    continue
                start_ns = cpu_ns + (min(after_launch[index], GRAPH_NODE_NS) if in_graph else after_launch[index])
                stream = self._streams[index]
                if (free_ns := free[stream] + after_stream[index]) > start_ns:
                    start_ns = free_ns
                if index in needs:
                    other, later_ns = needs[index]
                    start_ns = max(start_ns, ended[other] + later_ns)
                end_ns = (yield index, start_ns) if index in barriers else start_ns + length_ns
                free[stream] = ended[index] = end_ns
            cpu_ns = max(cpu_ns + own_ns, ready_ns)
            if until is not None:
                cpu_ns = max(cpu_ns, ended[until] + returns_ns)
        last_ns = max(ended)
        timeline = self.timeline
        if timeline.from_start and timeline.window.end_ns > timeline.last_end_ns:
            last_ns = max(last_ns, cpu_ns + code_after_ns)
        return max(last_ns - self._origin_ns, self._bounds.least_ns(change))

    def _lengths(self, change: Change) -> list[float | None]:
        """The length of each activity, ns; None for an activity that is removed or overlaps its stream."""
        lengths = list(self._measured)
        if change.gpu_removed:
            _, starts_ns, ends_ns = self._spans
            lengths = (ends_ns - starts_ns - self._taken(change, starts_ns, ends_ns)).astype(float).tolist()
        left_out = change.left_out
        for index, activity, role in self._not_compute:
            if role in left_out:
                lengths[index] = None
            elif role == "results" and "copy" in change.overlapped:
                lengths[index] = 0.0
            elif activity.kind == "communication":
                waits_ns = 0 if change.ranks_in_step else activity.all_arrived_ns - activity.start_ns
                moves_ns = 0 if "communication" in change.overlapped else activity.end_ns - activity.all_arrived_ns
                lengths[index] = waits_ns + moves_ns
        if change.activity_factors or change.compute_factors:
            factors = [change.factor(activity.activity_id, activity.kind, activity.gpu) for activity in self.timeline.activities]
            lengths = [None if ns is None else ns * factor for ns, factor in zip(lengths, factors, strict=True)]
        return lengths

    def _not_held_up(self, change: Change) -> list[float]:
        """The delay of each activity from its launch, without the time in which the launch was held up, ns."""
        held_up_ns = change.removed_wholly.within(*self._launching)
        delays_ns: list[float] = np.maximum(self._after_launch - held_up_ns, 0).tolist()
        return delays_ns

    @cached_property
    def _launching(self) -> tuple[Array, Array]:
        """From when until when each activity is launched: until its call returns, or it starts, ns."""
        activities = self.timeline.activities
        spans = [(activity.launch_start_ns, min(activity.launch_end_ns, activity.start_ns)) for activity in activities]
        from_ns, until_ns = np.array(spans, np.int64).T
        return from_ns, np.maximum(from_ns, until_ns)

    def _given_back(self, delays_ns: list[float], change: Change) -> list[float]:
        """The delays before the starts of the activities, without the time in which the GPU was taken away."""
        if not change.gpu_removed:
            return delays_ns
        _, starts_ns, _ = self._spans
        taken = self._taken(change, starts_ns - np.array(delays_ns, np.int64), starts_ns).tolist()
        return [ns - gone_ns for ns, gone_ns in zip(delays_ns, taken, strict=True)]

    def _taken(self, change: Change, from_ns: Array, until_ns: Array) -> Array:
        """For each activity, how much of a span its GPU was taken away, ns."""
        gpus, _, _ = self._spans
        taken = np.zeros(len(from_ns), np.int64)
        for gpu, intervals in change.gpu_removed.items():
            on_gpu = gpus == gpu
            taken[on_gpu] = intervals.within(from_ns[on_gpu], until_ns[on_gpu])
        return taken

    @cached_property
    def _spans(self) -> tuple[Array, Array, Array]:
        """The GPU, the start and the end of each activity, ns."""
        activities = self.timeline.activities
        spans = np.array([(activity.gpu, activity.start_ns, activity.end_ns) for activity in activities], np.int64)
        return spans[:, 0], spans[:, 1], spans[:, 2]

    def _after_stream(self, change: Change) -> list[float]:
        """The minimal delay of each activity from the end of the activity before it on its stream, ns."""
        delays_ns = self._delays.after_stream
        if change.independent:
            delays_ns = [
                min(ns, USUAL_QUEUE_NS) if alone else ns for ns, alone in zip(delays_ns, self._alone(change), strict=True)
            ]
        if change.as_graph or change.queued_as_graph:
            delays_ns = [min(ns, GRAPH_NODE_NS) for ns in delays_ns]
        return delays_ns

    def _needs(self, change: Change) -> dict[int, tuple[int, int]]:
        """The activities of other streams that activities wait for, without those of independent streams."""
        needs = self._delays.needs
        if not change.independent:
            return needs
        alone = self._alone(change)
        return {index: need for index, need in needs.items() if not alone[index]}

    def _alone(self, change: Change) -> list[bool]:
        """Whether each activity is on an independent stream."""
        return [(activity.gpu, activity.stream) in change.independent for activity in self.timeline.activities]

    @cached_property
    def _occupied(self) -> list[float]:
        """Until when activities launched before the timeline occupy each stream, ns."""
        held: dict[int, float] = {}
        for activity, stream in zip(self.timeline.activities, self._streams, strict=True):
            held.setdefault(stream, activity.start_ns if activity.launch_start_ns < self._origin_ns else -inf)
        return [held[stream] for stream in sorted(held)]
