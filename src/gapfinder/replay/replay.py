"""The replay itself. Unchanged, it gives what was measured.

Calls follow in order with the CPU time between them; activities start when launched, when their stream is free and when what they
wait for is done; some calls wait for the GPU.
"""

from collections.abc import Collection, Generator
from functools import cached_property

from gapfinder.replay.bounds import Bounds
from gapfinder.replay.change import Change
from gapfinder.replay.cpu import CpuPath
from gapfinder.replay.dependencies import USUAL_QUEUE_NS, delays
from gapfinder.replay.intervals import Interval
from gapfinder.replay.timeline import Timeline

GRAPH_NODE_NS = 107  # between two nodes of a CUDA graph: 1.2 ms of 16 x 720 nodes (cuda_graph_nodes, H200)


class Replay:
    """A timeline made ready to be run again and again, each time with another change."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self._origin_ns = timeline.origin_ns
        self._delays = delays(timeline.activities, self._origin_ns)
        numbers: dict[tuple[int, int], int] = {}
        self._streams = [numbers.setdefault((activity.gpu, activity.stream), len(numbers)) for activity in timeline.activities]
        self._first_ns = timeline.start_ns if timeline.from_start else timeline.activities[0].launch_start_ns
        self._cpu = CpuPath(timeline, self._first_ns, self._delays.launch_ns)
        self._measured: list[float | None] = [activity.end_ns - activity.start_ns for activity in timeline.activities]
        self._moving = [
            (place, activity, activity.role) for place, activity in enumerate(timeline.activities) if activity.kind != "compute"
        ]
        self._bounds = Bounds(timeline.activities)

    @cached_property
    def unchanged_ns(self) -> float:
        """What the unchanged timeline takes."""
        return self.length_ns(Change())

    @property
    def error(self) -> float:
        """How far that is off what was measured, as a share of it."""
        return self.unchanged_ns / self.timeline.measured_ns - 1

    def cpu_ns(self, intervals: list[Interval]) -> int:
        """CPU time in these intervals (disjoint, in order) that is not spent waiting for the GPU, ns."""
        return self._cpu.spent_ns(intervals)

    def waiting_activities(self, stream: int) -> int:
        """How many activities of a stream were seen waiting for another stream."""
        return sum(self.timeline.activities[place].stream == stream for place in self._delays.needs)

    def length_ns(self, change: Change) -> float:
        """How long the timeline takes with this change, measured as `Timeline.measured_ns` is."""
        try:
            next(self.played(change))
        except StopIteration as ended:
            length_ns: float = ended.value
            return length_ns
        raise AssertionError("a replay of one rank asks for nothing")

    def played(self, change: Change, barriers: Collection[int] = ()) -> Generator[tuple[int, float], float, float]:
        """The same with other ranks: stops at each activity whose place is in `barriers`, and returns the length at its end.

        It yields the place and when the activity starts, and is sent when it ends, both ns since the session began.
        """
        stages, code_after_ns = self._cpu.under(change)
        lengths = self._lengths(change)
        after_launch, after_stream, needs = self._delays.after_launch, self._after_stream(change), self._needs(change)
        ended: list[float] = [0.0] * len(lengths)
        free = self._occupied()
        cpu_ns = float(self._first_ns)
        for code_ns, activities, own_ns, until, returns_ns, in_graph in stages:
            cpu_ns += code_ns
            for place in activities:
                length_ns = lengths[place]
                if length_ns is None:
                    ended[place] = cpu_ns
                    continue
                start_ns = cpu_ns + (min(after_launch[place], GRAPH_NODE_NS) if in_graph else after_launch[place])
                stream = self._streams[place]
                if (ready_ns := free[stream] + after_stream[place]) > start_ns:
                    start_ns = ready_ns
                if place in needs:
                    other, later_ns = needs[place]
                    start_ns = max(start_ns, ended[other] + later_ns)
                end_ns = (yield place, start_ns) if place in barriers else start_ns + length_ns
                free[stream] = ended[place] = end_ns
            cpu_ns += own_ns
            if until is not None:
                cpu_ns = max(cpu_ns, ended[until] + returns_ns)
        last_ns = max(ended)
        timeline = self.timeline
        if timeline.from_start and timeline.end_ns > timeline.last_end_ns:
            last_ns = max(last_ns, cpu_ns + code_after_ns)
        return max(last_ns - self._origin_ns + change.slowed_ns, self._bounds.least_ns(change))

    def _lengths(self, change: Change) -> list[float | None]:
        """How long each activity runs, ns; None for one that is not on its stream."""
        lengths = list(self._measured)
        left_out = change.left_out
        for place, activity, role in self._moving:
            if role in left_out:
                lengths[place] = None
            elif activity.kind == "communication":
                waits_ns = 0 if change.ranks_in_step else activity.all_arrived_ns - activity.start_ns
                moves_ns = 0 if "communication" in change.overlapped else activity.end_ns - activity.all_arrived_ns
                lengths[place] = waits_ns + moves_ns
        if change.activity_factors:
            factors = [change.activity_factors.get(activity.activity_id, 1.0) for activity in self.timeline.activities]
            lengths = [None if ns is None else ns * factor for ns, factor in zip(lengths, factors, strict=True)]
        return lengths

    def _after_stream(self, change: Change) -> list[float]:
        """The least time from the end of the activity before each on its stream to its start, ns."""
        found = self._delays.after_stream
        if change.independent:
            streams = [activity.stream in change.independent for activity in self.timeline.activities]
            found = [min(ns, USUAL_QUEUE_NS) if alone else ns for ns, alone in zip(found, streams, strict=True)]
        if change.as_graph or change.queued_as_graph:
            found = [min(ns, GRAPH_NODE_NS) for ns in found]
        return found

    def _needs(self, change: Change) -> dict[int, tuple[int, int]]:
        """The activities of other streams that some wait for."""
        needs = self._delays.needs
        if not change.independent:
            return needs
        return {place: need for place, need in needs.items() if self.timeline.activities[place].stream not in change.independent}

    def _occupied(self) -> list[float]:
        """Until when each stream is held by what was launched before the timeline begins, ns."""
        held = [0.0] * (max(self._streams) + 1)
        for activity, stream in zip(self.timeline.activities, self._streams, strict=True):
            if not held[stream]:
                held[stream] = activity.start_ns if activity.launch_start_ns < self._origin_ns else -1.0
        return held
