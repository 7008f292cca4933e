"""What a diagnosis finds: the lost time of a cause, the evidence for it, and the fix."""

from dataclasses import dataclass, field

GPU_BOUND = "gpu_bound"  # the verdict where no cause is worth one


@dataclass(frozen=True)
class Evidence:
    """One fact that a reader can check in Nsight's own timeline. Times in ns since the session began."""

    text: str
    source_line: str | None = None
    nvtx: str | None = None
    start_ns: int | None = None
    end_ns: int | None = None


@dataclass(frozen=True)
class Finding:
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
