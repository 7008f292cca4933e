"""The diagnosis as data. Every renderer shows this and nothing else."""

from dataclasses import dataclass, field

from gapfinder.diagnosis.finding import Finding, Fix
from gapfinder.diagnosis.job import Job
from gapfinder.diagnosis.window import DiagnosedWindow
from gapfinder.gates.gate import Checked
from gapfinder.shown import Shown

SCHEMA = "gapfinder.diagnosis/1"


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


@dataclass(frozen=True, repr=False)
class Diagnosis(Shown):
    """All there is to say about one trace.

    `causes` are most to win first, `fixes` in the order in which to fix them; `floor_step_ns` is a step of the GPU's work alone,
    `unprofiled_step_ns` the range in which a step lies without the profiler.
    `job` is what its ranks say of each other, where it has several.
    `replay_error` is how far the unchanged replay is from the measured step, a share.
    """

    trace: str
    verdict: str
    headline: str
    window: DiagnosedWindow
    devices: list[Device]
    causes: list[Finding]
    fixes: list[Fix]
    floor_step_ns: int | None
    unprofiled_step_ns: tuple[int, int] | None
    phases: list[Phase]
    kernels: list[Kernel]
    next_command: str | None
    replay_error: float | None
    notes: list[str]
    gates: list[Checked] = field(default_factory=list)
    job: Job | None = None

    def __repr__(self) -> str:
        return f"<Diagnosis of {self.trace!r}: {self.headline}>"
