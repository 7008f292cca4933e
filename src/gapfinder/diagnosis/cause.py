"""What a diagnosis says of one cause: its lost time, the evidence, and the fix."""

from dataclasses import dataclass, field, replace
from typing import Self

GPU_BOUND = "gpu_bound"  # the verdict if no cause is a finding


class Verdict(str):
    """The cause to fix first, or `gpu_bound`. A string with the cause, plus the headline."""

    __slots__ = ("headline",)
    headline: str

    def __new__(cls, cause: str, headline: str) -> Self:
        """The verdict; two with the same cause are equal."""
        self = super().__new__(cls, cause)
        self.headline = headline
        return self

    @property
    def cause(self) -> str:
        """The cause, as in the JSON."""
        return str(self)

    def __reduce__(self) -> tuple[type[Self], tuple[str, str]]:
        """How to copy or pickle it."""
        return type(self), (str(self), self.headline)


@dataclass(frozen=True)
class Evidence:
    """One fact that a reader can check in Nsight's timeline. Times are in ns since the session began.

    `gpu` is set where the fact is of one GPU alone. In a job, `rank` is the rank in whose trace it stands. `of_trace` is the text
    there.
    """

    text: str
    source_line: str | None = None
    nvtx: str | None = None
    start_ns: int | None = None
    end_ns: int | None = None
    gpu: int | None = None
    rank: int | None = None

    @property
    def of_trace(self) -> str:
        """The text without the rank in front of it."""
        return self.text.removeprefix(f"rank {self.rank}: ")

    def on_rank(self, rank: int) -> Self:
        """The same fact, told of a rank of a job."""
        return replace(self, text=f"rank {rank}: {self.text}", rank=rank)


@dataclass(frozen=True)
class DiagnosedCause:
    """The lost time of one cause over all GPUs. `share` is the share of the window, `count` the number of segments.

    `is_finding` is true if the cause costs enough for a verdict (see ranking.py). `predicted_step_ns` is the time of a step
    without the cause, by a replay; None if it was not replayed. `why_gain` says why that saves less or more than its time.
    If one number would be wrong, `predicted_range_ns` is the shortest and the longest possible step without the cause, and
    `why_range` says why. With a number, `why_range` says that it comes from replays of single steps, which agree.
    """

    cause: str
    meaning: str
    lost_ns: int
    share: float
    count: int
    is_finding: bool
    fix: str | None
    evidence: list[Evidence] = field(default_factory=list)
    predicted_step_ns: int | None = None
    why_gain: str | None = None
    predicted_range_ns: tuple[int, int] | None = None
    why_range: str | None = None


@dataclass(frozen=True)
class Fix:
    """One entry of the order of fixes: a cause, and the step time without it and without all causes before it, by a replay."""

    cause: str
    predicted_step_ns: int
