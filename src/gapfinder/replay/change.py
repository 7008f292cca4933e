"""What is different from what was measured."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from gapfinder.replay.intervals import Interval


@dataclass(frozen=True)
class Change:
    """What a replay leaves out; of two of them together, `a | b`. Intervals are CPU time, ns since the session began.

    `removed` is code that is not run, `removed_wholly` are stretches in which launches cost nothing either.
    `without_waits` are kinds of waits as in blocking_calls, `overlapped` kinds of activities (copy, communication) that run
    beside all others, `independent` streams that wait for no other. `as_graph`: launches and the code between them cost nothing,
    and activities follow each other as the nodes of a CUDA graph do; `queued_as_graph`: only the latter. `at_once`: no CPU time
    at all. `slowed_ns` is how much longer compute takes because of what runs beside it.
    `cpu_factor` and `activity_factors` (by activity_id) say how much longer CPU time and activities take: 0.5 is twice as fast.
    """

    removed: tuple[Interval, ...] = ()
    removed_wholly: tuple[Interval, ...] = ()
    without_waits: frozenset[str] = frozenset()
    overlapped: frozenset[str] = frozenset()
    independent: frozenset[int] = frozenset()
    ranks_in_step: bool = False
    as_graph: bool = False
    queued_as_graph: bool = False
    at_once: bool = False
    slowed_ns: float = 0.0
    cpu_factor: float = 1.0
    activity_factors: Mapping[int, float] = field(default_factory=dict)

    def __or__(self, other: "Change") -> "Change":
        return Change(
            self.removed + other.removed,
            self.removed_wholly + other.removed_wholly,
            self.without_waits | other.without_waits,
            self.overlapped | other.overlapped,
            self.independent | other.independent,
            self.ranks_in_step or other.ranks_in_step,
            self.as_graph or other.as_graph,
            self.queued_as_graph or other.queued_as_graph,
            self.at_once or other.at_once,
            self.slowed_ns + other.slowed_ns,
            self.cpu_factor * other.cpu_factor,
            {
                activity_id: self.activity_factors.get(activity_id, 1.0) * other.activity_factors.get(activity_id, 1.0)
                for activity_id in self.activity_factors.keys() | other.activity_factors.keys()
            },
        )

    @property
    def left_out(self) -> frozenset[str]:
        """The kinds of calls and copies that are not made, as `Call.kind` and `Activity.role` have them."""
        roles = {"read_back copy"} if "read_back" in self.without_waits else set()
        if "copy" in self.overlapped:
            roles |= {"host copy"}
        return self.without_waits | roles
