"""The replay itself. Unchanged, it gives what was measured.

Calls follow in order with the CPU time between them; ops start when launched, when their stream is free and when what they
wait for is done; some calls wait for the GPU.
"""

from bisect import bisect_right
from dataclasses import dataclass

from gapfinder.replay.timeline import Call, Op, Timeline

READ_BACK_BYTES = 65536  # a copy back of at most so much is made to be looked at, as in sql/3_gaps/gap_ends.sql
GRAPH_NODE_NS = 107  # between two nodes of a CUDA graph: 1.2 ms of 16 x 720 nodes (cuda_graph_nodes, H200)
LAUNCH_PATH_NS = 1_000_000  # code between two launches for longer is the program's own, as in sql/3_gaps/slices.sql
CALL_NS = 200_000  # a launch that takes longer waits for a place in the queue; 3 to 50 us are usual
LOOKED_BACK = 1_000  # ops at most among which a wait's is sought: more end in no wait's last moment
RETURNS_WITHIN_NS = 20_000  # of its copy's end: so a copy call that blocked returns


@dataclass(frozen=True)
class Change:
    """What is different from what was measured.

    `removed` are intervals of CPU time (ns) that are not spent. As a graph, launches and the code between two of them cost
    nothing, and ops follow each other as a graph's nodes do.
    """

    removed: tuple[tuple[int, int], ...] = ()
    without_waits: frozenset[str] = frozenset()
    without_copies: bool = False
    ranks_in_step: bool = False
    as_graph: bool = False


class Replay:
    """One run over a timeline; `length_ns` is what it takes."""

    def __init__(self, timeline: Timeline, change: Change) -> None:
        self._timeline, self._change = timeline, change
        self._removed = _merged(change.removed)
        self._ended = sorted(timeline.ops, key=lambda op: op.end_ns)
        self._end: dict[int, float] = {}
        self._stream_end: dict[tuple[int, int], float] = {}

    def length_ns(self) -> float:
        """How long the timeline takes, measured as `Timeline.measured_ns` is."""
        timeline = self._timeline
        first_ns = timeline.start_ns if timeline.from_start else timeline.ops[0].launch_start_ns
        cpu_ns, measured_ns = float(first_ns), first_ns
        for call in timeline.calls:
            cpu_ns += self._kept_ns(measured_ns, call.start_ns)
            length_ns = call.end_ns - max(call.start_ns, measured_ns)
            if length_ns > 0:
                cpu_ns = self._launched(call, cpu_ns, length_ns) if call.ops else self._waited(call, cpu_ns, length_ns)
            elif call.ops:
                self._launched(call, cpu_ns, 0)
            measured_ns = max(measured_ns, call.end_ns)
        last_ns = max(self._end.values())
        if timeline.from_start and timeline.end_ns > self._ended[-1].end_ns:
            last_ns = max(last_ns, cpu_ns + self._kept_ns(measured_ns, timeline.end_ns))
        if timeline.from_start:
            return last_ns - first_ns
        first = min(timeline.ops, key=lambda op: op.start_ns)
        return last_ns - (self._end[first.op_id] - (first.end_ns - first.start_ns))

    def _kept_ns(self, start_ns: int, end_ns: int) -> int:
        """CPU time of an interval without what is removed."""
        kept = max(0, end_ns - start_ns)
        if self._change.as_graph and kept < LAUNCH_PATH_NS:
            return 0
        place = max(0, bisect_right(self._removed, (start_ns, start_ns)) - 1)
        while place < len(self._removed) and self._removed[place][0] < end_ns:
            kept -= max(0, min(end_ns, self._removed[place][1]) - max(start_ns, self._removed[place][0]))
            place += 1
        return max(0, kept)

    def _launched(self, call: Call, cpu_ns: float, length_ns: int) -> float:
        """Submit the call's ops; returns when the call does."""
        if all(self._dropped(op) for op in call.ops):
            self._end |= {op.op_id: cpu_ns for op in call.ops}
            return cpu_ns
        for op in call.ops:
            self._run(op, cpu_ns)
        last = call.ops[-1]
        if last.pageable and last.end_ns <= call.end_ns + RETURNS_WITHIN_NS:
            return max(cpu_ns, self._end[last.op_id] + call.end_ns - last.end_ns)
        if self._change.as_graph:
            return cpu_ns
        return cpu_ns + (length_ns if length_ns < CALL_NS else self._timeline.launch_ns)

    def _dropped(self, op: Op) -> bool:
        """Whether a copy is not on its stream any more: overlapped, or never made."""
        small_read_back = op.direction == "Device-to-Host" and op.bytes <= READ_BACK_BYTES
        if small_read_back:
            return "read_back" in self._change.without_waits
        return self._change.without_copies and (op.direction.startswith("Host-to-") or op.direction == "Device-to-Host")

    def _run(self, op: Op, launch_ns: float) -> None:
        """An op starts after its launch, after its stream's last op, and after the op of another stream that it needs.

        The distance to whichever held it in the trace is kept; to the others it is the usual one.
        """
        timeline, before_ns = self._timeline, self._timeline.before[op.op_id]
        since_launch = op.start_ns - op.launch_start_ns
        after_launch, after_stream = float(since_launch), float(timeline.queue_ns)
        if op.op_id in timeline.needs:
            after_launch = min(since_launch, timeline.launch_ns)
        elif before_ns is not None and op.launch_start_ns < before_ns:
            held_by_launch = since_launch <= 4 * timeline.launch_ns and op.launch_start_ns >= before_ns - timeline.launch_ns
            if held_by_launch:
                after_stream = min(timeline.queue_ns, max(0, op.start_ns - before_ns))
            else:
                after_launch, after_stream = min(timeline.launch_ns, since_launch), op.start_ns - before_ns
        if self._change.as_graph:
            after_launch, after_stream = min(after_launch, GRAPH_NODE_NS), min(after_stream, GRAPH_NODE_NS)
        starts = [launch_ns + after_launch]
        if (stream_end := self._stream_end.get((op.gpu, op.stream))) is not None:
            starts.append(stream_end + after_stream)
        if op.op_id in timeline.needs:
            needed, lag_ns = timeline.needs[op.op_id]
            if needed in self._end:
                starts.append(self._end[needed] + lag_ns)
        waited_ns = op.all_arrived_ns - op.start_ns if self._change.ranks_in_step and op.kind == "communication" else 0
        self._end[op.op_id] = max(starts) + op.end_ns - op.start_ns - max(0, waited_ns)
        self._stream_end[op.gpu, op.stream] = max(self._end[op.op_id], stream_end or 0)

    def _waited(self, call: Call, cpu_ns: float, length_ns: int) -> float:
        """Wait for the op that ended last before the call did, of those launched before it; returns when the call does."""
        if call.waits_for in self._change.without_waits:
            return cpu_ns
        start_ns = call.end_ns - length_ns
        place = bisect_right(self._ended, call.end_ns, key=lambda op: op.end_ns)
        for op in reversed(self._ended[max(0, place - LOOKED_BACK) : place]):
            if op.end_ns <= start_ns:
                break
            if op.launch_start_ns <= start_ns and op.op_id in self._end:
                return max(cpu_ns, self._end[op.op_id] + call.end_ns - op.end_ns)
        return cpu_ns + length_ns


def _merged(intervals: tuple[tuple[int, int], ...]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
