"""What is replayed: one CPU timeline of launches and waits, the ops that they submit, and what each op waited for."""

from bisect import bisect_right
from dataclasses import dataclass, field
from statistics import median
from typing import NamedTuple

from gapfinder.analysis import Analysis

USUAL_LAUNCH_NS = 6_000  # launch to start on an idle H200 where the trace has no such launch (nsys 2025.3: 6.3 to 6.5 us)
USUAL_QUEUE_NS = 1_200  # between two queued ops (0.8 to 1.5 us on an H200)
QUEUED_AT_MOST_NS = 20_000  # a longer distance between two ops of a stream is not the queue's
DEPENDS_FROM_NS = 10_000  # an op that starts later than its launch and stream explain waited for another stream
DEPENDS_WITHIN_NS = 30_000  # for the op there that ended last, at most so long before


class Op(NamedTuple):
    """A row of `replay_ops`; times in ns."""

    op_id: int
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


class Call(NamedTuple):
    """A call on the CPU timeline: it launches ops, or (with none) waits for the GPU."""

    start_ns: int
    end_ns: int
    ops: tuple[Op, ...]
    waits_for: str


@dataclass(frozen=True)
class Timeline:
    """The replayed part of a window.

    It is measured from `start_ns` where all of it was launched after that (`from_start`), and to `end_ns`; else from the
    start of its first op to the end of its last. `before` gives the end of the op before each on its stream, `needs` the
    op of another stream that it waited for, and the time from that one's end to its start.
    """

    start_ns: int
    end_ns: int
    from_start: bool
    calls: list[Call]
    ops: list[Op]
    before: dict[int, int | None] = field(default_factory=dict)
    needs: dict[int, tuple[int, int]] = field(default_factory=dict)
    launch_ns: float = USUAL_LAUNCH_NS
    queue_ns: float = USUAL_QUEUE_NS

    @property
    def measured_ns(self) -> int:
        """What the replay, unchanged, should take."""
        last_ns = max(op.end_ns for op in self.ops)
        if self.from_start:
            return max(last_ns, self.end_ns) - self.start_ns
        return last_ns - min(op.start_ns for op in self.ops)

    @classmethod
    def of(cls, analysis: Analysis) -> "Timeline | None":
        """The timeline of a trace; None where no launches are known."""
        window = analysis.rows("SELECT * FROM replay_window")[0]
        ops = [Op(**row) for row in analysis.rows("SELECT * FROM replay_ops")]
        if not ops:
            return None
        launched: dict[tuple[int, int, int], list[Op]] = {}
        for op in ops:
            launched.setdefault((op.launch_start_ns, op.launch_end_ns, op.global_tid), []).append(op)
        calls = [Call(start, end, tuple(group), "") for (start, end, _), group in launched.items()]
        calls += [
            Call(row["start_ns"], row["end_ns"], (), row["waits_for"]) for row in analysis.rows("SELECT * FROM replay_waits")
        ]
        calls.sort(key=lambda call: (call.start_ns, not call.ops))
        before = _before(ops)
        needs = _needs(ops, before)
        streamed = [(op, end_ns) for op in ops if (end_ns := before[op.op_id]) is not None and op.op_id not in needs]
        late = [op.start_ns - op.launch_start_ns for op, end_ns in streamed if op.launch_start_ns >= end_ns]
        queued = [op.start_ns - end_ns for op, end_ns in streamed if op.launch_start_ns < end_ns]
        queued = [gap_ns for gap_ns in queued if gap_ns < QUEUED_AT_MOST_NS]
        return cls(
            window["start_ns"],
            window["end_ns"],
            window["whole"] and ops[0].launch_start_ns >= window["start_ns"],
            calls,
            ops,
            before,
            needs,
            median(late) if late else USUAL_LAUNCH_NS,
            median(queued) if queued else USUAL_QUEUE_NS,
        )


def _before(ops: list[Op]) -> dict[int, int | None]:
    ends: dict[tuple[int, int], int] = {}
    before = {}
    for op in sorted(ops, key=lambda op: (op.start_ns, op.end_ns)):
        stream = (op.gpu, op.stream)
        before[op.op_id] = ends.get(stream)
        ends[stream] = max(op.end_ns, ends.get(stream, op.end_ns))
    return before


def _needs(ops: list[Op], before: dict[int, int | None]) -> dict[int, tuple[int, int]]:
    by_gpu: dict[int, list[Op]] = {}
    for op in sorted(ops, key=lambda op: op.end_ns):
        by_gpu.setdefault(op.gpu, []).append(op)
    needs = {}
    for op in ops:
        ready_ns = max(before[op.op_id] or 0, op.launch_start_ns)
        if op.start_ns - ready_ns <= DEPENDS_FROM_NS:
            continue
        ended = by_gpu[op.gpu]
        for other in reversed(ended[: bisect_right(ended, op.start_ns, key=lambda other: other.end_ns)]):
            if other.end_ns <= max(ready_ns, op.start_ns - DEPENDS_WITHIN_NS):
                break
            if other.stream != op.stream:
                needs[op.op_id] = (other.op_id, op.start_ns - other.end_ns)
                break
    return needs
