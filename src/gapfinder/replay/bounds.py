"""How long the GPU and its links need at the least: what overlaps still takes its time."""

from collections.abc import Sequence

from gapfinder.replay.change import Change
from gapfinder.replay.timeline import Activity

PINNED_BYTES_PER_NS = 55.0  # PCIe 5 x16 to an H200: 52 to 55.5 in seven traces with pinned copies of 1 MB and more
LARGE_BYTES = 1_000_000  # a smaller copy is slower than the link


class Bounds:
    """Lower bounds of any replay.

    They are the time of each GPU's compute (kernels that did not run side by side are not assumed to), of its collectives without
    their waiting, and of its copies to and from the host, at the speed of pinned memory.
    """

    def __init__(self, activities: Sequence[Activity]) -> None:
        large = [activity for activity in activities if activity.bytes >= LARGE_BYTES and not activity.pageable and activity.role]
        rate = max((activity.bytes / (activity.end_ns - activity.start_ns) for activity in large), default=PINNED_BYTES_PER_NS)
        # for what works at a time (a GPU, or one direction of its link), the time of each activity that no other one shares
        self._alone_ns: dict[tuple[int, str, str], dict[int, float]] = {}
        reached: dict[tuple[int, str, str], int] = {}
        for activity in sorted(activities, key=lambda activity: activity.all_arrived_ns):
            if activity.kind == "copy" and not activity.role:
                continue
            unit = (activity.gpu, activity.kind, activity.direction)
            alone_ns: float = activity.end_ns - max(activity.all_arrived_ns, reached.get(unit, 0))
            reached[unit] = max(activity.end_ns, reached.get(unit, 0))
            if activity.kind == "copy":
                alone_ns = min(alone_ns, activity.bytes / rate)
            if alone_ns > 0:
                self._alone_ns.setdefault(unit, {})[activity.activity_id] = alone_ns

    def least_ns(self, change: Change) -> float:
        """What no replay with this change is shorter than."""
        factors = change.activity_factors
        sums = (
            sum((ns * factors.get(activity_id, 1.0) for activity_id, ns in alone_ns.items()) if factors else alone_ns.values())
            for alone_ns in self._alone_ns.values()
        )
        return max(sums, default=0.0)
