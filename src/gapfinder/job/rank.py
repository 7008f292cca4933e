"""The data of one rank. They are small, so its trace can be closed before the next one is opened."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from gapfinder.diagnosis.cause import Evidence
from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.diagnosis.measured import KernelRuns
from gapfinder.replay.change import Change
from gapfinder.replay.timeline import Timeline

POINT_TO_POINT, ALL_TO_ALL = "SendRecv", "AllToAll"
ROOTED = frozenset({"Broadcast", "Reduce"})  # one rank sends to, or receives from, all: it may end long before or after them


class Collective(NamedTuple):
    """A row of the relation `rank_collectives`. Times are in ns since the rank's session began."""

    activity_id: int
    start_ns: int
    end_ns: int
    stream: int
    kind: str
    communicator: str | None
    bytes: int | None
    peer: int | None
    in_window: bool


@dataclass(frozen=True)
class Rank:
    """One rank: a GPU of a trace.

    `started_ns` is time 0 of its trace on the clock of its machine; None if unknown. `diagnosis` is the diagnosis of its trace.
    `steps` are the starts and ends of the window's steps, and `step_numbers` their numbers in the trace; `has_steps` is false
    if the trace has no steps and the window counts as one. `shares_stream` is true if communication and compute use the same
    stream. `timeline` and `changes` (by cause) are the input of a replay; `timeline` is None if the rank cannot be replayed.
    `losses` is what each cause costs in the replayed steps, and in as many mean ones, ns. `evidence` is by cause that of its GPU
    alone; None if it has its trace for itself, or if nothing but the evidence of the trace is known.
    """

    number: int
    trace: str
    gpu: int
    gpu_name: str
    started_ns: int | None
    has_steps: bool
    diagnosis: Diagnosis
    collectives: list[Collective]
    steps: list[tuple[int, int]]
    step_numbers: list[int]
    kernels: Mapping[str, KernelRuns]
    shares_stream: bool
    timeline: Timeline | None
    changes: Mapping[str, Change]
    losses: Mapping[str, tuple[float, float]]
    evidence: Mapping[str, list[Evidence]] | None = None

    @cached_property
    def marks(self) -> tuple[set[object], ...]:
        """What tells its recording from others: the starts, the ends, and the shapes of its collectives.

        A shape is a length and the time to the next one's start, ns. Those that occur twice are left out.
        """
        times = Counter((each.end_ns - each.start_ns, then.start_ns - each.start_ns) for each, then in pairwise(self.collectives))
        shapes: set[object] = {shape for shape, count in times.items() if count == 1}
        return {each.start_ns for each in self.collectives}, {each.end_ns for each in self.collectives}, shapes
