"""How long the GPU and its links need at the least: what overlaps still takes its time."""

from collections import defaultdict
from collections.abc import Sequence

from gapfinder.replay.change import Change
from gapfinder.replay.timeline import Op

PINNED_BYTES_PER_NS = 55.0  # PCIe 5 x16 to an H200: 52 to 55.5 in seven traces with pinned copies of 1 MB and more
LARGE_BYTES = 1_000_000  # a smaller copy is slower than the link


class Bounds:
    """Lower bounds of a replay: each GPU's compute (kernels that did not run side by side are not assumed to), and what
    overlaps with it: its collectives without their waiting, and its copies to and from the host at the speed of pinned memory."""

    def __init__(self, ops: Sequence[Op]) -> None:
        computed_until: dict[int, int] = defaultdict(int)
        self._compute: dict[int, dict[int, int]] = defaultdict(dict)
        self._communication: dict[int, int] = defaultdict(int)
        self._copies: dict[tuple[int, str], float] = defaultdict(float)
        large = [op for op in ops if op.bytes >= LARGE_BYTES and not op.pageable and op.role]
        rate = max((op.bytes / (op.end_ns - op.start_ns) for op in large), default=PINNED_BYTES_PER_NS)
        for op in sorted(ops, key=lambda op: op.start_ns):
            if op.kind == "compute":
                alone_ns = op.end_ns - max(op.start_ns, computed_until[op.gpu])
                if alone_ns > 0:
                    self._compute[op.gpu][op.op_id] = alone_ns
                    computed_until[op.gpu] = op.end_ns
            elif op.kind == "communication":
                self._communication[op.gpu] += op.end_ns - op.all_arrived_ns
            elif op.role:
                self._copies[op.gpu, op.direction] += min(op.end_ns - op.start_ns, op.bytes / rate)

    def least_ns(self, change: Change) -> float:
        """What no replay with this change is shorter than."""
        least = [sum(alone.values()) for alone in self._compute.values()]
        if change.op_factors:
            least = [
                sum(ns * change.op_factors.get(op_id, 1.0) for op_id, ns in alone.items()) for alone in self._compute.values()
            ]
        if "communication" in change.overlapped:
            least += self._communication.values()
        if "copy" in change.overlapped:
            least += self._copies.values()
        return max(least, default=0.0)

