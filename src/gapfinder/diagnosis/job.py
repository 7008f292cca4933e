"""The diagnosis of a job as data. Every renderer shows this and nothing else. Times of a step are in ns, shares 0 to 1."""

from dataclasses import dataclass, field

from gapfinder.diagnosis.finding import Evidence
from gapfinder.gates.gate import Checked
from gapfinder.shown import Shown

SCHEMA = "gapfinder.job/1"
# The causes that a job tells by comparing its ranks: a trace of one rank cannot.
RANK_IMBALANCE, PIPELINE_BUBBLE, COMMUNICATION = "rank_imbalance", "pipeline_bubble", "communication"
BETWEEN_RANKS = (RANK_IMBALANCE, COMMUNICATION)


@dataclass(frozen=True)
class RankLedger:
    """One rank in the window of the job: `compute_ns` and all `lost_ns` of `causes` add up to `window_ns`.

    `verdict` is that of its trace alone. `causes` has the waiting for a late rank as rank_imbalance, and that of a pipeline's
    stages for their turn as pipeline_bubble.
    """

    rank: int
    trace: str
    gpu: int
    gpu_name: str
    window_ns: int
    compute_ns: int
    causes: dict[str, int]
    verdict: str


@dataclass(frozen=True)
class Charge:
    """Part of the waiting, by who was late and what that rank did instead: a cause, or `compute`. `share` is of all waiting."""

    rank: int
    cause: str
    share: float


@dataclass(frozen=True)
class Late:
    """The rank that the others wait for.

    `rank` is None where it changes from step to step. `cause` is what it does instead, `steps` says in how many steps each rank
    was the last, `of_steps` of how many, `waiting_ns` what the rank that waits longest waits in a step, `share` that of the step.
    """

    rank: int | None
    cause: str
    steps: dict[int, int]
    of_steps: int
    waiting_ns: float
    share: float
    charges: list[Charge]


@dataclass(frozen=True)
class Wait:
    """What waiting for one late rank costs a step, and what that rank mostly does instead.

    `step` is its place in the job's `step_lengths_ns`. `waiting_ns` is that of the rank that waits longest; those of all steps
    add up to `Late.waiting_ns` of each.
    """

    step: int
    rank: int
    cause: str
    waiting_ns: int


@dataclass(frozen=True)
class JobFinding:
    """Lost time of one cause, as the mean of the ranks. `worth` where it is a finding; `by_design` where nothing is at fault."""

    cause: str
    lost_ns: int
    share: float
    worth: bool
    by_design: bool
    meaning: str
    fix: str | None
    predicted_step_ns: int | None


@dataclass(frozen=True)
class AlignmentQuality:
    """How the ranks' clocks and collectives fit.

    `by` is how collectives were told apart: communicator, or order. `offsets_ns` is added to each rank's times to give those
    of the first. A collective ends on two ranks `residual_ns` apart (median), `worst_ns` at the most; None where none is shared.
    """

    by: str
    residual_ns: int | None
    worst_ns: int | None
    matched: int
    collectives: int
    offsets_ns: list[int]


@dataclass(frozen=True)
class Transfer:
    """Collectives of one kind and size: how long their data moved, and the bus bandwidth that this is.

    `bus_gb_per_s` is the median, in 10^9 bytes a second as nccl-tests counts it; None where the size or the number of ranks is
    unknown. `of_best` is that as a share of the best of all collectives of the job.
    """

    kind: str
    bytes: int | None
    ranks: int
    times: int
    moving_ns: float
    bus_gb_per_s: float | None
    of_best: float | None


@dataclass(frozen=True)
class Streams:
    """Where a rank communicates: on a stream of its own, or on one that computes.

    `hidden` is the share of the time in which data moves that compute covers.
    """

    rank: int
    own_stream: bool
    moving_ns: int
    hidden: float


@dataclass(frozen=True, repr=False)
class Job(Shown):
    """All there is to say about a job of several ranks. `causes` are most lost first; `step_lengths_ns` has each step's time."""

    traces: list[str]
    verdict: str
    headline: str
    late: Late | None
    waits: list[Wait]
    window_ns: int
    steps: int
    step_ns: float
    step_lengths_ns: list[int]
    has_steps: bool
    ranks: list[RankLedger]
    causes: list[JobFinding]
    evidence: list[Evidence]
    fix: str | None
    predicted_step_ns: int | None
    replay_error: float | None
    alignment: AlignmentQuality
    transfers: list[Transfer]
    streams: list[Streams]
    pattern: str | None
    notes: list[str]
    gates: list[Checked] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"<Job of {len(self.ranks)} ranks: {self.headline}>"
