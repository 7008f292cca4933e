"""The comparison as data. Every renderer shows this and nothing else. Shares are 0 to 1, times are per step."""

from dataclasses import dataclass, field

from gapfinder.diagnosis.window import DiagnosedWindow
from gapfinder.gates.gate import GateResult
from gapfinder.display import Displayable

SCHEMA = "gapfinder.comparison/1"


@dataclass(frozen=True)
class StepTime:
    """The mean time of a step; `low_ns` to `high_ns` holds it with 95 %, and is None for too few steps. `count` is measured."""

    ns: float
    low_ns: float | None
    high_ns: float | None
    count: int


@dataclass(frozen=True)
class Traced:
    """One of the traces: `devices` GPUs of the products in `gpus`.

    `step` and `activities_per_step`, by kind on all GPUs, are None where it has no steps; `lengths_ns` has each step.
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


@dataclass(frozen=True)
class Line:
    """Compute or a cause in both ledgers, as the mean of the GPUs; the times are None where a trace has no steps.

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
    """A kernel that appeared, vanished, or runs more or fewer `times` a step (all GPUs) or for another `time`.

    `changes` names what changed. Times a step are None where a trace has no steps; means are None where it does not run.
    """

    name: str
    changes: list[str]
    before_times: float | None
    after_times: float | None
    before_mean_ns: float | None
    after_mean_ns: float | None


@dataclass(frozen=True)
class Speedup:
    """How many times as fast, and the interval that holds it with 95 %; None for too few steps."""

    ratio: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Prediction:
    """The step without the causes, by the first trace's replay, against what came; `error` is a share of the outcome.

    `also_closed` are the other causes worth a verdict that closed; the prediction leaves them in.
    """

    causes: list[str]
    predicted_step_ns: float
    outcome_step_ns: float
    error: float
    also_closed: list[str]


@dataclass(frozen=True)
class Pair:
    """A trace against the first one.

    `obstacles` are why the two cannot be compared, `remarks` what to keep in mind. `difference` tells whether the step
    times differ beyond noise; None where that is unknown.
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
    """Two or more traces in the order given, and each but the first against the first. Gates are of the last."""

    traces: list[Traced]
    pairs: list[Pair]
    gates: list[GateResult] = field(default_factory=list)

    @property
    def last(self) -> Pair:
        """The pair that is told in full."""
        return self.pairs[-1]

    def __repr__(self) -> str:
        return f"<Comparison of {[trace.trace for trace in self.traces]}: {self.last.headline}>"
