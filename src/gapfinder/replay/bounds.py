"""How long the GPU and its links need at the least: what overlaps still takes its time."""

from collections.abc import Sequence

from gapfinder.replay.change import Change
from gapfinder.replay.timeline import Op

PINNED_BYTES_PER_NS = 55.0  # PCIe 5 x16 to an H200: 52 to 55.5 in seven traces with pinned copies of 1 MB and more
LARGE_BYTES = 1_000_000  # a smaller copy is slower than the link


class Bounds:
    """Lower bounds of a replay.

    They are each GPU's compute (kernels that did not run side by side are not assumed to), and what overlaps with it: its
    collectives without their waiting, and its copies to and from the host at the speed of pinned memory.
    """

    def __init__(self, ops: Sequence[Op]) -> None:
        large = [op for op in ops if op.bytes >= LARGE_BYTES and not op.pageable and op.role]
        rate = max((op.bytes / (op.end_ns - op.start_ns) for op in large), default=PINNED_BYTES_PER_NS)
        # by kind, then by what works at a time (a GPU, or one direction of its link), the time of each op
        self._busy_ns: dict[str, dict[tuple[int, str], dict[int, float]]] = {"compute": {}, "communication": {}, "copy": {}}
        reached: dict[int, int] = {}
        for op in sorted(ops, key=lambda op: op.start_ns):
            if op.kind == "compute":
                alone_ns: float = op.end_ns - max(op.start_ns, reached.get(op.gpu, 0))
                reached[op.gpu] = max(op.end_ns, reached.get(op.gpu, 0))
            elif op.kind == "communication":
                alone_ns = op.end_ns - op.all_arrived_ns
            else:
                alone_ns = min(op.end_ns - op.start_ns, op.bytes / rate) if op.role else 0
            if alone_ns > 0:
                self._busy_ns[op.kind].setdefault((op.gpu, op.direction), {})[op.op_id] = alone_ns

    def least_ns(self, change: Change) -> float:
        """What no replay with this change is shorter than."""
        factors = change.op_factors
        least = [0.0]
        for kind in {"compute", *change.overlapped}:
            for busy_ns in self._busy_ns[kind].values():
                scaled = (ns * factors.get(op_id, 1.0) for op_id, ns in busy_ns.items()) if factors else busy_ns.values()
                least.append(sum(scaled))
        return max(least)
