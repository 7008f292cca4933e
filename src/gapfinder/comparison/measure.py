"""What a comparison keeps of one trace. It is small: the trace can be closed before the next trace is opened."""

from dataclasses import dataclass

from gapfinder.comparison.bootstrap import mean_interval
from gapfinder.comparison.comparison import StepTime
from gapfinder.diagnosis.diagnose import diagnose
from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.gates.facts import Facts, facts
from gapfinder.trace import Trace
from gapfinder.units import clean


@dataclass(frozen=True)
class Runs:
    """All runs of a kernel in the window, on all GPUs."""

    times: int
    gpu_ns: int


@dataclass(frozen=True)
class Measured:
    """One trace: its diagnosis, the time of each step, all of its kernels by name, and its activities by kind."""

    diagnosis: Diagnosis
    facts: Facts
    lengths_ns: list[int]
    kernels: dict[str, Runs]
    activities: dict[str, int]

    @property
    def steps(self) -> float | None:
        """How many steps the window is long; None where there are none."""
        return self.diagnosis.window.in_steps if self.facts.step_ns else None

    def step_time(self) -> StepTime | None:
        """The mean step with its interval; None where there are no steps."""
        if self.facts.step_ns is None:
            return None
        low_ns, high_ns = mean_interval(self.lengths_ns) or (None, None)
        return StepTime(self.facts.step_ns, low_ns, high_ns, len(self.lengths_ns))

    def per_step(self, total: float) -> float | None:
        """Something counted over the window, per step."""
        return total / self.steps if self.steps else None

    def per_step_ns(self, quantity: str) -> float | None:
        """Compute or the lost time of a cause per step, as the mean of the GPUs."""
        return self.facts.shares.get(quantity, 0.0) * self.facts.step_ns if self.facts.step_ns else None


def measure(trace: Trace) -> Measured:
    """Diagnose a trace, and keep what a comparison needs of it."""
    diagnosis = diagnose(trace)
    kernels: dict[str, Runs] = {}
    for row in trace.facts("SELECT * FROM top_kernels"):
        name = clean(row["name"])
        so_far = kernels.get(name, Runs(0, 0))
        kernels[name] = Runs(so_far.times + row["times"], so_far.gpu_ns + row["gpu_ns"])
    return Measured(
        diagnosis,
        facts(trace, diagnosis),
        [row["length_ns"] for row in trace.facts("SELECT * FROM step_times")],
        kernels,
        {row["kind"]: row["activities"] for row in trace.facts("SELECT * FROM activity_counts")},
    )
