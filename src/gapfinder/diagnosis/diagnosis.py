"""The diagnosis as data. Every renderer shows this and nothing else."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from gapfinder.gates.gate import Checked
from gapfinder.shown import Shown

if TYPE_CHECKING:
    from gapfinder.diagnosis.job import Job

SCHEMA = "gapfinder.diagnosis/1"
GPU_BOUND = "gpu_bound"


@dataclass(frozen=True)
class Evidence:
    """One fact that a reader can check in Nsight's own timeline. Times in ns since the session began."""

    text: str
    source_line: str | None = None
    nvtx: str | None = None
    start_ns: int | None = None
    end_ns: int | None = None


@dataclass(frozen=True)
class Cause:
    """Lost time of one cause over all GPUs. `share` is of the window; `count` the number of segments.

    `predicted_step_ns` is the step without the cause, by replay; None where no replay was made.
    """

    cause: str
    meaning: str
    lost_ns: int
    share: float
    count: int
    worth: bool
    fix: str | None
    evidence: list[Evidence] = field(default_factory=list)
    predicted_step_ns: int | None = None


@dataclass(frozen=True)
class Fix:
    """A cause to fix, and the step without it and all causes before it, by replay."""

    cause: str
    predicted_step_ns: int


@dataclass(frozen=True)
class Device:
    """The ledger of one GPU: `compute_ns` and all `lost_ns` add up to `window_ns`."""

    gpu: int
    name: str
    window_ns: int
    compute_ns: int
    causes: dict[str, int]


@dataclass(frozen=True)
class Phase:
    """An NVTX phase of the step on the GPU. Times in ns, over the window."""

    name: str
    activities: int
    gpu_ns: int
    lost_ns: int


@dataclass(frozen=True)
class Kernel:
    """A kernel, or all whole graphs. Times in ns, over the window."""

    name: str
    count: int
    gpu_ns: int
    mean_ns: float


@dataclass(frozen=True)
class Window:
    """The part of the trace that is diagnosed. `step_ns` is the mean time per step."""

    start_ns: int
    end_ns: int
    steps: int
    step_ns: float
    source: str
    step_name: str | None
    excluded_steps: int

    @property
    def in_steps(self) -> float:
        """How many steps the window is as long as: what is counted over it is so many times what a step has."""
        return (self.end_ns - self.start_ns) / self.step_ns


@dataclass(frozen=True, repr=False)
class Diagnosis(Shown):
    """All there is to say about one trace.

    `causes` are most to win first, `fixes` in the order in which to fix them; `floor_step_ns` is a step of the GPU's work alone,
    `unprofiled_step_ns` the range in which a step lies without the profiler.
    `job` is what its ranks say of each other, where it has several.
    `replay_error` is how far the unchanged replay is from the measured step, a share.
    """

    RENDERER: ClassVar = "gapfinder.render.diagnosis.text"

    trace: str
    verdict: str
    headline: str
    window: Window
    devices: list[Device]
    causes: list[Cause]
    fixes: list[Fix]
    floor_step_ns: int | None
    unprofiled_step_ns: tuple[int, int] | None
    phases: list[Phase]
    kernels: list[Kernel]
    next_command: str | None
    replay_error: float | None
    notes: list[str]
    gates: list[Checked] = field(default_factory=list)
    job: "Job | None" = None

    def __repr__(self) -> str:
        return f"<Diagnosis of {self.trace!r}: {self.headline}>"
