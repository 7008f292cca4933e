"""The replay itself. Unchanged, it gives what was measured.

Calls follow in order with the CPU time between them; ops start when launched, when their stream is free and when what they
wait for is done; some calls wait for the GPU.
"""

from functools import cached_property

from gapfinder.replay.bounds import Bounds
from gapfinder.replay.change import Change
from gapfinder.replay.cpu import CpuPath
from gapfinder.replay.dependencies import USUAL_QUEUE_NS, Delays, delays
from gapfinder.replay.timeline import Timeline

GRAPH_NODE_NS = 107  # between two nodes of a CUDA graph: 1.2 ms of 16 x 720 nodes (cuda_graph_nodes, H200)


class Replay:
    """A timeline made ready to be run again and again, each time with another change."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self._origin_ns = timeline.origin_ns
        self._delays, launch_ns = delays(timeline.ops, self._origin_ns)
        numbers: dict[tuple[int, int], int] = {}
        self._streams = [numbers.setdefault((op.gpu, op.stream), len(numbers)) for op in timeline.ops]
        self._first_ns = timeline.start_ns if timeline.from_start else timeline.ops[0].launch_start_ns
        self._cpu = CpuPath(timeline, self._first_ns, launch_ns)
        self._bounds = Bounds(timeline.ops)

    @cached_property
    def unchanged_ns(self) -> float:
        """What the unchanged timeline takes."""
        return self.length_ns(Change())

    @property
    def error(self) -> float:
        """How far that is off what was measured, as a share of it."""
        return self.unchanged_ns / self.timeline.measured_ns - 1

    def length_ns(self, change: Change) -> float:
        """How long the timeline takes with this change, measured as `Timeline.measured_ns` is."""
        stages, code_after_ns = self._cpu.under(change)
        lengths = self._lengths(change)
        delays = self._changed(change)
        ended: list[float] = [0.0] * len(lengths)
        streams = self._occupied()
        cpu_ns = float(self._first_ns)
        for code_ns, ops, own_ns, until, returns_ns, in_graph in stages:
            cpu_ns += code_ns
            for place in ops:
                length_ns = lengths[place]
                if length_ns is None:
                    ended[place] = cpu_ns
                    continue
                after_launch, after_stream, needs, after_needed = delays[place]
                stream = self._streams[place]
                start_ns = max(cpu_ns + (min(after_launch, GRAPH_NODE_NS) if in_graph else after_launch), streams[stream] + after_stream)
                if needs is not None:
                    start_ns = max(start_ns, ended[needs] + after_needed)
                streams[stream] = ended[place] = start_ns + length_ns
            cpu_ns += own_ns
            if until is not None:
                cpu_ns = max(cpu_ns, ended[until] + returns_ns)
        last_ns = max(ended)
        timeline = self.timeline
        if timeline.from_start and timeline.end_ns > max(op.end_ns for op in timeline.ops):
            last_ns = max(last_ns, cpu_ns + code_after_ns)
        return max(last_ns - self._origin_ns, self._bounds.least_ns(change))

    def _lengths(self, change: Change) -> list[float | None]:
        """How long each op runs, ns; None for one that is not on its stream."""
        lengths: list[float | None] = []
        left_out = change.left_out
        for op in self.timeline.ops:
            length_ns: float | None = op.end_ns - op.start_ns
            if op.role and op.role in left_out:
                length_ns = None
            elif op.kind == "communication":
                waits_ns = op.all_arrived_ns - op.start_ns
                length_ns = (0 if change.ranks_in_step else waits_ns) + (
                    0 if "communication" in change.overlapped else op.end_ns - op.all_arrived_ns
                )
            if length_ns is not None and change.op_factors:
                length_ns *= change.op_factors.get(op.op_id, 1.0)
            lengths.append(length_ns)
        return lengths

    def _changed(self, change: Change) -> list[Delays]:
        """The delays of each op."""
        found = self._delays
        if change.independent:
            found = [
                delay._replace(after_stream=min(delay.after_stream, USUAL_QUEUE_NS), needs=None)
                if op.stream in change.independent
                else delay
                for op, delay in zip(self.timeline.ops, found, strict=True)
            ]
        if change.as_graph or change.queued_as_graph:
            found = [delay._replace(after_stream=min(delay.after_stream, GRAPH_NODE_NS)) for delay in found]
        return found

    def _occupied(self) -> list[float]:
        """Until when each stream is held by what was launched before the timeline begins, ns."""
        held = [0.0] * (max(self._streams) + 1)
        for op, stream in zip(self.timeline.ops, self._streams, strict=True):
            if not held[stream]:
                held[stream] = op.start_ns if op.launch_start_ns < self._origin_ns else -1.0
        return held
