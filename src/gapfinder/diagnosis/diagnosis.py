"""The diagnosis as data. Renderers show these fields and compute nothing."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gapfinder.diagnosis.cause import DiagnosedCause, Fix, Verdict
from gapfinder.diagnosis.device import Device, compute_share
from gapfinder.diagnosis.job import Job
from gapfinder.diagnosis.metrics import Metric
from gapfinder.diagnosis.regimes import Regime
from gapfinder.diagnosis.requests import Requests, Tokens
from gapfinder.diagnosis.window import DiagnosedWindow
from gapfinder.display import Displayable
from gapfinder.gates.gate import GateResult

if TYPE_CHECKING:
    import polars as pl

SCHEMA = "gapfinder.diagnosis/2"
WHOLE_GRAPHS = "CUDA graph"  # the name of a `Kernel`: all CUDA graphs that were traced as a whole


@dataclass(frozen=True)
class Phase:
    """An NVTX phase of the step: the activities that it launched, their GPU time and its lost time, in ns over the window."""

    name: str
    activities: int
    gpu_ns: int
    lost_ns: int


@dataclass(frozen=True)
class Kernel:
    """All runs of one kernel in the window. All CUDA graphs that were traced as a whole count as one kernel.

    `kind` is compute or communication.
    """

    name: str
    kind: str
    times: int
    gpu_ns: int
    mean_ns: float


@dataclass(frozen=True, repr=False)
class Diagnosis(Displayable):
    """The diagnosis of one trace.

    `causes` are in order of what there is to win, most first; `why_first` says why the first one is first, if another takes more
    time or wins more, and whether tracing may have made it so. `fixes` are in the order in which to fix them. `floor_step_ns` is
    the time of a step with the GPU's work alone; `unprofiled_step_ns` is the range of a step's time without the profiler.
    `replay_error` is how far the unchanged replay is from the measured step, as a share of it. `job` compares the ranks, if the
    trace has several: then verdict and predictions are those of the job. `regimes` are what the program did in the whole
    recording, the longest first. `requests` is set if the program serves, `tokens` if its steps generate one each.
    `damage` are those of the notes that speak of lost or wrong rows: where there is one, no gate passes. `doubt` says why no
    cause is certain, where all of the trace is in doubt. `rank_notes` are those that do not hold for a job, to which the trace
    may belong. `metrics` are GPU metrics, where they were recorded.
    """

    trace: str
    verdict: Verdict
    window: DiagnosedWindow
    devices: list[Device]
    causes: list[DiagnosedCause]
    fixes: list[Fix] = field(default_factory=list)
    floor_step_ns: int | None = None
    unprofiled_step_ns: tuple[int, int] | None = None
    phases: list[Phase] = field(default_factory=list)
    kernels: list[Kernel] = field(default_factory=list)
    next_command: str | None = None
    replay_error: float | None = None
    notes: list[str] = field(default_factory=list)
    gates: list[GateResult] = field(default_factory=list)
    job: Job | None = None
    regimes: list[Regime] = field(default_factory=list)
    damage: list[str] = field(default_factory=list)
    doubt: str | None = None
    rank_notes: list[str] = field(default_factory=list)
    metrics: list[Metric] = field(default_factory=list)
    why_first: str | None = None
    requests: Requests | None = None
    tokens: Tokens | None = None

    @property
    def headline(self) -> str:
        """The verdict in one sentence, and whether it is certain."""
        return f"Not certain, because {self.doubt}. {self.verdict.headline}" if self.doubt else self.verdict.headline

    @property
    def compute_share(self) -> float:
        """The share of the window in which the GPUs compute, 0 to 1."""
        return compute_share(self.devices)

    @property
    def ledger(self) -> "pl.DataFrame":
        """The ledger of each GPU, as `Trace.ledger` gives it: gpu, cause, ns, share; the ns of a GPU add up to the window."""
        import polars as pl

        rows = [
            (device.gpu, cause, ns, ns / device.window_ns)
            for device in self.devices
            for cause, ns in [
                ("compute", device.compute_ns),
                *sorted(device.causes.items(), key=lambda lost: (-lost[1], lost[0])),
            ]
        ]
        schema = {"gpu": pl.Int32, "cause": pl.String, "ns": pl.Int64, "share": pl.Float64}
        return pl.DataFrame(rows, schema=schema, orient="row")

    def __repr__(self) -> str:
        return f"<Diagnosis of {self.trace!r}: {self.headline}>"
