"""The measurements of a diagnosed trace. They are small, so the trace can be closed before the next one is opened."""

from dataclasses import dataclass, field
from typing import NamedTuple

from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.diagnosis.quantities import quantities_of
from gapfinder.gates.check import Quantities
from gapfinder.trace import OpenTrace
from gapfinder.units import clean


class KernelRuns(NamedTuple):
    """All runs of a kernel in the window, on all GPUs."""

    times: int
    gpu_ns: int


@dataclass(frozen=True)
class Measured:
    """One trace: its diagnosis, the time of each step (ns), its kernels by name, and the number of activities by kind.

    `step_numbers` are the numbers of the steps in the trace.
    """

    diagnosis: Diagnosis
    quantities: Quantities
    lengths_ns: list[int]
    kernels: dict[str, KernelRuns]
    activities: dict[str, int]
    step_numbers: list[int] = field(default_factory=list)

    @property
    def steps(self) -> float | None:
        """The length of the window in steps; None if the trace has no steps."""
        return self.diagnosis.window.in_steps if self.quantities.step_ns else None

    def per_step(self, total: float) -> float | None:
        """A total over the window, divided by the number of steps; None if the trace has no steps."""
        return total / self.steps if self.steps else None

    def per_step_ns(self, quantity: str) -> float | None:
        """The time per step of compute or of a cause, as the mean of the GPUs; None if the trace has no steps."""
        return self.quantities.shares.get(quantity, 0.0) * self.quantities.step_ns if self.quantities.step_ns else None


def measure(trace: OpenTrace, diagnosis: Diagnosis) -> Measured:
    """Take the measurements of a diagnosed trace that a comparison or a job needs."""
    kernels: dict[str, KernelRuns] = {}
    for row in trace.id_rows("SELECT * FROM top_kernels"):
        name = clean(row["name"])
        so_far = kernels.get(name, KernelRuns(0, 0))
        kernels[name] = KernelRuns(so_far.times + row["times"], so_far.gpu_ns + row["gpu_ns"])
    times = trace.id_rows("SELECT * FROM step_times")
    return Measured(
        diagnosis,
        quantities_of(trace, diagnosis),
        [row["length_ns"] for row in times],
        kernels,
        {row["kind"]: row["activities"] for row in trace.id_rows("SELECT * FROM activity_counts")},
        [row["step"] for row in times],
    )
