"""A change of the program that a replay simulates."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from gapfinder.replay.intervals import NO_TIME, Intervals


@dataclass(frozen=True)
class Change:
    """What a replay changes. `a | b` makes both changes.

    - `removed`: CPU time in which code costs nothing, while calls keep their time.
    - `removed_wholly`: CPU time in which calls cost nothing either.
    - `gpu_removed`: by GPU, the time in which it was taken away; it costs nothing.
    - `without_waits`: the kinds of waits for the GPU that do not happen, as in the relation replay_waits.
    - `overlapped`: the kinds of activities (copy, communication) that overlap all others.
    - `independent`: the streams, as GPU and number, that wait for no other stream.
    - `ranks_in_step`: collectives wait for no rank.
    - `as_graph`: launches and the code between them cost nothing, and activities follow each other like nodes of a CUDA graph.
    - `queued_as_graph`: activities follow each other like nodes of a CUDA graph; launches cost what they cost.
    - `at_once`: there is no CPU time at all.
    - `compute_factors`: by GPU, how much longer its compute takes because communication overlaps it.
    - `cpu_factor`, `activity_factors` (by activity_id): how much longer CPU time and activities take; 0.5 is twice as fast.
    """

    removed: Intervals = NO_TIME
    removed_wholly: Intervals = NO_TIME
    gpu_removed: Mapping[int, Intervals] = field(default_factory=dict)
    without_waits: frozenset[str] = frozenset()
    overlapped: frozenset[str] = frozenset()
    independent: frozenset[tuple[int, int]] = frozenset()
    ranks_in_step: bool = False
    as_graph: bool = False
    queued_as_graph: bool = False
    at_once: bool = False
    compute_factors: Mapping[int, float] = field(default_factory=dict)
    cpu_factor: float = 1.0
    activity_factors: Mapping[int, float] = field(default_factory=dict)

    def __or__(self, other: "Change") -> "Change":
        return Change(
            self.removed | other.removed,
            self.removed_wholly | other.removed_wholly,
            {
                gpu: self.gpu_removed.get(gpu, NO_TIME) | other.gpu_removed.get(gpu, NO_TIME)
                for gpu in self.gpu_removed.keys() | other.gpu_removed.keys()
            },
            self.without_waits | other.without_waits,
            self.overlapped | other.overlapped,
            self.independent | other.independent,
            self.ranks_in_step or other.ranks_in_step,
            self.as_graph or other.as_graph,
            self.queued_as_graph or other.queued_as_graph,
            self.at_once or other.at_once,
            _product(self.compute_factors, other.compute_factors),
            self.cpu_factor * other.cpu_factor,
            _product(self.activity_factors, other.activity_factors),
        )

    def factor(self, activity_id: int, kind: str, gpu: int) -> float:
        """How much longer an activity takes."""
        slowed = self.compute_factors.get(gpu, 1.0) if kind == "compute" else 1.0
        return self.activity_factors.get(activity_id, 1.0) * slowed

    @property
    def left_out(self) -> frozenset[str]:
        """The kinds of calls and copies that do not happen, as in `Call.kind` and `Activity.role`.

        A small value that nobody waits for is not read back at all. Results still have to be there before the CPU goes on: that
        their copy overlaps compute does not make them ready earlier.
        """
        read_backs = {"read_back"} if "download" in self.without_waits else set()
        host_copies = {"host_copy"} if "copy" in self.overlapped else set()
        return self.without_waits | read_backs | host_copies

    @property
    def not_blocking(self) -> frozenset[str]:
        """The kinds of copy calls that return at once, as in `Call.kind`."""
        return frozenset({"results"} if "download" in self.without_waits else ())


def _product(factors: Mapping[int, float], others: Mapping[int, float]) -> dict[int, float]:
    return {key: factors.get(key, 1.0) * others.get(key, 1.0) for key in factors.keys() | others.keys()}
