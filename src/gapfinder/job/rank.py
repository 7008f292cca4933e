"""What is kept of one rank. It is small: its trace can be closed before the next one is opened."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.diagnosis.measured import KernelRuns
from gapfinder.replay.change import Change
from gapfinder.replay.timeline import Timeline

POINT_TO_POINT = "SendRecv"


class Collective(NamedTuple):
    """A row of `rank_collectives`; times in ns since the rank's session began."""

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
    """One rank: a GPU of a trace. `started_ns` is time 0 of its trace by its machine's clock, None where unknown.

    `diagnosis` is that of its trace; `steps` are the starts and ends of the window's steps, and `whole_steps` tells whether
    there are any. `shares_stream` is true where communication and compute use one
    stream. `timeline` and `changes` (by cause) are what a replay needs; None where it cannot be replayed.
    """

    number: int
    trace: str
    gpu: int
    gpu_name: str
    started_ns: int | None
    whole_steps: bool
    diagnosis: Diagnosis
    collectives: list[Collective]
    steps: list[tuple[int, int]]
    kernels: Mapping[str, KernelRuns]
    shares_stream: bool
    timeline: Timeline | None
    changes: Mapping[str, Change]
