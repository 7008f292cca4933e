"""The window of a trace, as data and as one line of text."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gapfinder.units import clean, count, duration, timestamp

if TYPE_CHECKING:
    from gapfinder.trace import OpenTrace


@dataclass(frozen=True)
class DiagnosedWindow:
    """The part of the trace that is diagnosed. Times are in ns; `step_ns` is the mean time per step.

    It consists of all regimes of one kind, `regime`. `length_ns` is their total length: less than the time from
    `start_ns` to `end_ns` if other regimes lie between them. Where regimes have no steps, each counts as a step.
    `source` says how steps were found: nvtx, launch period, time range or everything. `unit` is the name of a step: step, token
    if each step generates one, or the kind of a regime without steps.
    """

    start_ns: int
    end_ns: int
    length_ns: int
    steps: int
    step_ns: float
    source: str
    step_name: str | None
    excluded_steps: int
    regime: str
    unit: str = "step"

    @property
    def has_steps(self) -> bool:
        """Whether it is made of steps."""
        return self.unit != self.regime

    @property
    def in_steps(self) -> float:
        """The length of the window in steps, to turn totals over the window into means per step."""
        return self.length_ns / self.step_ns

    @property
    def is_one(self) -> bool:
        """Whether it is one piece without steps. Then means are over the whole window."""
        return self.in_steps == 1 and self.source in ("everything", "time range")

    @property
    def mean_over(self) -> str:
        """What means are over: the unit, or `window`."""
        return "window" if self.is_one else self.unit

    @property
    def a_unit(self) -> str:
        """One of what means are over: `a step`, `an epoch start`, or `the window`."""
        if self.is_one:
            return "the window"
        return f"an {self.unit}" if self.unit.startswith("e") else f"a {self.unit}"

    @property
    def per_unit(self) -> str:
        """What a mean is: `per step`, or `in all`."""
        return "in all" if self.is_one else f"per {self.unit}"

    def mean_of(self, what: str) -> str:
        """The name of a mean: `activities per step`, or `activities`."""
        return what if self.is_one else f"{what} per {self.unit}"

    def each(self, mean: str) -> str:
        """A mean with what it belongs to: `2 ms a step`, or `2 ms`."""
        return mean if self.is_one else f"{mean} {self.a_unit}"


def window_of(trace: "OpenTrace") -> DiagnosedWindow:
    """Read the window of a trace."""
    row = trace.facts('SELECT *, is_steps(regime) AS has_steps FROM "window"')[0]
    unit = row["regime"]
    if row.pop("has_steps"):
        unit = "token" if trace.facts("SELECT 1 FROM decode_loop") else "step"
    return DiagnosedWindow(**row, unit=unit)


def subject(trace: str, gpus: Iterable[str], window: DiagnosedWindow) -> str:
    """One line: the file, its GPUs (`gpus` has a name for each) and the steps of the window, without control characters."""
    names = [clean(name) for name in gpus]
    many = f"{len(names)} x " if len(names) > 1 else ""
    if window.source in ("everything", "time range"):
        what = f"{window.source}, {duration(window.end_ns - window.start_ns)}"
    elif not window.has_steps:
        what = f"{count(window.steps, window.unit)} of {duration(window.step_ns)}"
    else:
        by = f'NVTX "{clean(window.step_name or "")}"' if window.source == "nvtx" else "the launch sequence"
        left_out = f", {count(window.excluded_steps, window.unit)} before left out" if window.excluded_steps else ""
        what = f"{count(window.steps, window.unit)} of {duration(window.step_ns)} by {by}{left_out}"
    span = f"from {timestamp(window.start_ns)} to {timestamp(window.end_ns)}"
    return f"{clean(Path(trace).name)}: {many}{', '.join(sorted(set(names)))}, {what}, {span}"
