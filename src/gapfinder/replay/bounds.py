"""Lower bounds of a replay: the time that the GPU and its links need for their work, even if all of it overlaps."""

from collections.abc import Sequence

import numpy as np

from gapfinder.replay.change import Change
from gapfinder.replay.timeline import Activity

PINNED_BYTES_PER_NS = 55.0  # PCIe 5 x16 to an H200: 52 to 55.5 in seven traces with pinned copies of 1 MB or more
LARGE_BYTES = 1_000_000  # smaller copies do not reach the speed of the link


class Bounds:
    """Lower bounds of any replay of these activities, in ns.

    For each GPU they are the time of its compute (kernels that did not overlap are assumed not to overlap), of its collectives
    without their waiting, and of its copies from and to the host at the speed of pinned memory.
    """

    def __init__(self, activities: Sequence[Activity]) -> None:
        large = [activity for activity in activities if activity.bytes >= LARGE_BYTES and not activity.pageable and activity.role]
        rate = max((activity.bytes / (activity.end_ns - activity.start_ns) for activity in large), default=PINNED_BYTES_PER_NS)
        # by unit, a GPU or one direction of its link: (activity_id, the time that no earlier activity covers, the end of it), ns
        alone: dict[tuple[int, str, str], list[tuple[int, float, int]]] = {}
        last_end_ns: dict[tuple[int, str, str], int] = {}
        for activity in sorted(activities, key=lambda activity: activity.all_arrived_ns):
            if activity.kind == "copy" and not activity.role:
                continue
            unit = (activity.gpu, activity.kind, activity.direction)
            covered_ns = last_end_ns.get(unit, activity.all_arrived_ns)
            alone_ns: float = activity.end_ns - max(activity.all_arrived_ns, covered_ns)
            last_end_ns[unit] = max(activity.end_ns, covered_ns)
            if activity.kind == "copy":
                alone_ns = min(alone_ns, activity.bytes / rate)
            if alone_ns > 0:
                alone.setdefault(unit, []).append((activity.activity_id, alone_ns, activity.end_ns))
        self._alone = {unit: tuple(map(np.array, zip(*rows, strict=True))) for unit, rows in alone.items()}

    def least_ns(self, change: Change) -> float:
        """The lower bound of the replay with this change, ns."""
        return max((self._needs_ns(unit, change) for unit in self._alone), default=0.0)

    def _needs_ns(self, unit: tuple[int, str, str], change: Change) -> float:
        """The time that a unit needs, ns. Copies go on while another program computes."""
        gpu, kind, _ = unit
        ids, lengths_ns, ends_ns = self._alone[unit]
        if kind == "compute" and gpu in change.gpu_removed:
            lengths_ns = lengths_ns - change.gpu_removed[gpu].within(ends_ns - lengths_ns, ends_ns)
        if change.activity_factors or change.compute_factors:
            lengths_ns = lengths_ns * np.array([change.factor(activity_id, kind, gpu) for activity_id in ids.tolist()])
        return float(lengths_ns.sum())
