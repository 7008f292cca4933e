"""The comparison as data. Renderers show these fields and compute nothing. Shares are 0 to 1; times are in ns per step."""

from dataclasses import dataclass, field

from gapfinder.diagnosis.window import DiagnosedWindow
from gapfinder.display import Displayable
from gapfinder.gates.gate import GateResult

SCHEMA = "gapfinder.comparison/2"


@dataclass(frozen=True)
class StepTime:
    """The mean time of `count` steps. `low_ns` to `high_ns` is its 95 % confidence interval; None for fewer than 5 steps."""

    ns: float
    low_ns: float | None
    high_ns: float | None
    count: int


@dataclass(frozen=True)
class Traced:
    """One of the traces. `devices` is its number of GPUs, `gpus` are their models.

    `activities_per_step` is the number of activities by kind, on all GPUs. It and `step` are None if the trace has no steps.
    `lengths_ns` has the time of each step, and `steps` its number in the trace.
    """

    trace: str
    devices: int
    gpus: list[str]
    window: DiagnosedWindow
    step: StepTime | None
    verdict: str
    verdict_share: float
    lost_share: float
    activities_per_step: dict[str, float] | None
    lengths_ns: list[int]
    steps: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Line:
    """Compute or a cause in both ledgers, as the mean of the GPUs. The times are None if a trace has no steps.

    `change` is closed, shrank, same, grew or new.
    """

    name: str
    before_ns: float | None
    after_ns: float | None
    before_share: float
    after_share: float
    change: str


@dataclass(frozen=True)
class KernelChange:
    """A kernel that changed. `changes` has appeared, vanished, `times` (the number of runs per step) or `time` (the mean time).

    `before_times` and `after_times` are runs per step on all GPUs, None if a trace has no steps. The mean times are None if the
    kernel does not run in that trace.
    """

    name: str
    changes: list[str]
    before_times: float | None
    after_times: float | None
    before_mean_ns: float | None
    after_mean_ns: float | None


@dataclass(frozen=True)
class Speedup:
    """How many times as fast, with its 95 % confidence interval; the interval is None for fewer than 5 steps."""

    ratio: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Prediction:
    """The step without `causes`, as the replay of BEFORE predicted it, and the step of AFTER. `error` is a share of the outcome.

    `also_closed` are other findings of BEFORE that closed, and `also_shrank` other lines of its ledger that became shorter,
    together by half of the predicted gain, or of a large error: the prediction does not include them. `of_single_steps` is true
    if it comes from replays of single steps.
    """

    causes: list[str]
    predicted_step_ns: float
    outcome_step_ns: float
    error: float
    also_closed: list[str]
    also_shrank: list[str]
    of_single_steps: bool = False


@dataclass(frozen=True)
class Pair:
    """A trace compared with the first one.

    `obstacles` are the reasons why the two cannot be compared, `remarks` what to keep in mind. `difference` says whether the step
    times differ beyond noise; None if that is unknown.
    """

    before: str
    after: str
    headline: str
    obstacles: list[str]
    remarks: list[str]
    speedup: Speedup | None
    difference: bool | None
    compute: Line
    causes: list[Line]
    kernels: list[KernelChange]
    prediction: Prediction | None


@dataclass(frozen=True, repr=False)
class Comparison(Displayable):
    """Two or more traces in the given order, and a pair for each but the first. `gates` are the results on the last trace."""

    traces: list[Traced]
    pairs: list[Pair]
    gates: list[GateResult] = field(default_factory=list)

    @property
    def last(self) -> Pair:
        """The pair that is shown in full: the last trace compared with the first."""
        return self.pairs[-1]

    def __repr__(self) -> str:
        return f"<Comparison of {[trace.trace for trace in self.traces]}: {self.last.headline}>"
