"""The diagnosis of a job as data. Renderers show these fields and compute nothing. Times are in ns, shares are 0 to 1."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Self

from gapfinder.diagnosis.cause import Evidence, Verdict
from gapfinder.diagnosis.device import Device, Ledger, compute_share
from gapfinder.display import Displayable
from gapfinder.gates.gate import GateResult

SCHEMA = "gapfinder.job/2"
# Causes that can only be found by comparing ranks: a trace of one rank cannot tell them apart.
RANK_IMBALANCE, PIPELINE_BUBBLE, COMMUNICATION = "rank_imbalance", "pipeline_bubble", "communication"
BETWEEN_RANKS = (RANK_IMBALANCE, COMMUNICATION)
MIN_PART = 0.1  # of the waiting: what makes less of it is no reason to be named, or to do without
RANKS_SHOWN = 8  # on a page: those that are late most, then the first ones


@dataclass(frozen=True)
class RankLedger(Ledger):
    """The ledger of one rank.

    It is of the window of the job. If one trace holds all ranks, it is that of their GPU in the window of the trace.

    Waiting for a late rank is rank_imbalance; waiting of a pipeline stage for its turn is pipeline_bubble. `verdict` is the
    verdict on the rank's trace alone.
    """

    rank: int
    trace: str
    gpu: int
    gpu_name: str
    window_ns: int
    compute_ns: int
    causes: dict[str, int]
    verdict: str

    def in_trace(self, devices: Mapping[int, Device]) -> Self:
        """The ledger of the rank's GPU in the window of the trace, if `devices` has it: that between collectives is shorter."""
        if (device := devices.get(self.gpu)) is None:
            return self
        return replace(self, window_ns=device.window_ns, compute_ns=device.compute_ns, causes=device.causes)


@dataclass(frozen=True)
class Charge:
    """Part of the waiting: which rank was late, and what it did instead (a cause, or `compute`).

    `share` is the share of all waiting.
    """

    rank: int
    cause: str
    share: float


@dataclass(frozen=True)
class LateRank:
    """The rank that the others wait for.

    `rank` is None if it changes from step to step; `shown_rank` is the one whose evidence is shown. `cause` is what the late rank
    does instead. `steps` has for each rank the number of steps in which it was the last, out of the `of_steps` that have a
    collective. `waiting_ns` is the mean time per step that the longest-waiting rank waits, and `share` is its share of the step.
    """

    rank: int | None
    shown_rank: int
    cause: str
    steps: dict[int, int]
    of_steps: int
    waiting_ns: float
    share: float
    charges: list[Charge]

    @property
    def causes(self) -> set[str]:
        """What the late rank does instead: the main cause, and each other one that makes at least a tenth of the waiting."""
        parts: dict[str, float] = {}
        for charge in self.charges:
            if self.rank in (None, charge.rank):
                parts[charge.cause] = parts.get(charge.cause, 0.0) + charge.share
        return {self.cause} | {cause for cause, part in parts.items() if part >= MIN_PART}


@dataclass(frozen=True)
class Wait:
    """What waiting for one late rank costs one step, and what the late rank mostly does instead.

    `step` is one of the job's `step_numbers`. `waiting_ns` is the waiting of the longest-waiting rank; the mean over all
    steps is `LateRank.waiting_ns`.
    """

    step: int
    rank: int
    cause: str
    waiting_ns: int


@dataclass(frozen=True)
class Arrival:
    """A collective to which `rank` came last, at `last_ns`; the first had come at `first_ns`. On the clock of the first rank."""

    rank: int
    first_ns: int
    last_ns: int


class Charged(NamedTuple):
    """A piece of lost time that the ledger of the job charges to another cause than that of the trace may be."""

    start_ns: int
    end_ns: int
    cause: str


@dataclass(frozen=True)
class JobCause:
    """The lost time of one cause over all ranks; `share` is the mean of the ranks.

    `is_finding` is true if it costs enough for a verdict. `by_design` is true if the job's parallelism needs it.
    """

    cause: str
    lost_ns: int
    share: float
    is_finding: bool
    by_design: bool
    meaning: str
    fix: str | None
    predicted_step_ns: int | None


@dataclass(frozen=True)
class AlignmentQuality:
    """How well the ranks' clocks and collectives were aligned.

    `by` is how collectives were matched: by communicator, or by order. `offsets_ns` is what to add to each rank's times to get
    times of the first rank. `residual_ns` is the median distance between the ends of one collective on two ranks, `worst_ns` the
    largest; both are None if no collective is shared. `matched` of `collectives` communication activities were matched.
    """

    by: str
    residual_ns: int | None
    worst_ns: int | None
    matched: int
    collectives: int
    offsets_ns: list[int]


@dataclass(frozen=True)
class Transfer:
    """Collectives of one kind and size: how long they move data (median), and their bus bandwidth.

    `bus_gb_per_s` is the median bandwidth in 10^9 bytes per second, as nccl-tests defines it; None if the size is unknown.
    `share_of_best` is its share of the best bandwidth in the job.
    """

    kind: str
    bytes: int | None
    ranks: int
    times: int
    moving_ns: float
    bus_gb_per_s: float | None
    share_of_best: float | None


@dataclass(frozen=True)
class RankStreams:
    """Whether a rank communicates on its own stream, and how much of it compute hides.

    `moving_ns` is the time in which collectives move data; `hidden_share` is the share of it in which the GPU also computes.
    """

    rank: int
    own_stream: bool
    moving_ns: int
    hidden_share: float


@dataclass(frozen=True, repr=False)
class Job(Displayable):
    """The diagnosis of a job of several ranks.

    `causes` are in order of lost time, most first. `step_numbers` are those of the steps of the first rank in which the steps of
    the job end, and `step_lengths_ns` has the time of each; steps without a collective take the mean of those up to the next one.
    `pattern` is `pipeline parallel`, `tensor parallel`, or None.
    `incomplete` says which ranks lack collectives that others have, or share none, so that no cause is certain; else it is None.
    `replay_error` is how far the unchanged replay is from the measured step, as a share of it.
    `why_first` says why this is the verdict if another cause takes more time, `why_gain` why there is less or more to win.
    `arrivals` are the collectives to which a rank came latest, at most 2,000. `charged` has, of the ranks that a page shows, the
    exposed communication in order: waiting for a rank, and moving data, on the clock of the rank.
    `frequent_waits` are the causes of waits for the GPU that come too often for CUDA graphs on each rank.
    `damage` are those of the notes that speak of lost or wrong rows; of several traces, each begins with the name of its own.
    If a replay does not tell it, `predicted_range_ns` is the shortest and the longest step without the verdict's cause.
    """

    traces: list[str]
    verdict: Verdict
    late: LateRank | None
    waits: list[Wait]
    window_ns: int
    steps: int
    step_ns: float
    step_numbers: list[int]
    step_lengths_ns: list[int]
    has_steps: bool
    ranks: list[RankLedger]
    causes: list[JobCause]
    evidence: list[Evidence]
    fix: str | None
    predicted_step_ns: int | None
    replay_error: float | None
    alignment: AlignmentQuality
    transfers: list[Transfer]
    streams: list[RankStreams]
    pattern: str | None
    incomplete: str | None
    notes: list[str]
    why_first: str | None = None
    why_gain: str | None = None
    predicted_range_ns: tuple[int, int] | None = None
    frequent_waits: list[str] = field(default_factory=list)
    gates: list[GateResult] = field(default_factory=list)
    damage: list[str] = field(default_factory=list)
    arrivals: list[Arrival] = field(default_factory=list)
    charged: dict[int, list[Charged]] = field(default_factory=dict)

    @property
    def headline(self) -> str:
        """The verdict in one sentence."""
        return self.verdict.headline

    @property
    def compute_share(self) -> float:
        """The share of the window in which the ranks compute, 0 to 1."""
        return compute_share(self.ranks)

    @property
    def line(self) -> str | None:
        """The source line that the late rank runs instead; None if there are no Python samples."""
        return next((fact.source_line for fact in self.evidence if fact.source_line), None)

    def __repr__(self) -> str:
        return f"<Job of {len(self.ranks)} ranks: {self.headline}>"


def shown_ranks(ranks: Sequence[RankLedger], late: LateRank | None) -> list[RankLedger]:
    """The ranks that a page shows."""
    lateness = {charge.rank: charge.share for charge in late.charges} if late else {}
    return sorted(ranks, key=lambda rank: (-lateness.get(rank.rank, 0), rank.rank))[:RANKS_SHOWN]
