"""The window of a trace, as data and as one line of text."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gapfinder.units import clean, count, duration, timestamp

if TYPE_CHECKING:
    from gapfinder.trace import OpenTrace


ONE_PIECE = ("everything", "time range")  # sources of windows that need not have steps


@dataclass(frozen=True)
class DiagnosedWindow:
    """The part of the trace that is diagnosed. Times are in ns; `step_ns` is the mean time per step.

    It consists of all regimes of one kind, `regime`. `length_ns` is their total length: less than the time from
    `start_ns` to `end_ns` if other regimes lie between them. Where regimes have no steps, each counts as a step.
    `source` says how steps were found: nvtx, launch period, requests, time range or everything. `unit` is what means are over:
    step, token if each step generates one, the kind of a regime without steps, or window, if it is one piece without steps.
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
    def in_steps(self) -> float:
        """The length of the window in steps, to turn totals over the window into means per step."""
        return self.length_ns / self.step_ns

    @property
    def is_one(self) -> bool:
        """Whether it is one piece without steps. Then means are totals."""
        return self.unit == "window"

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

    @property
    def told_apart(self) -> str:
        """How its steps are told apart: `by the launch sequence`."""
        return {
            "nvtx": f'by NVTX "{clean(self.step_name or "")}"',
            "launch period": "by the launch sequence",
            "requests": "by the requests",
            "time range": "in a time range",
            "everything": "in all of the trace",
        }[self.source]

    def mean_of(self, what: str) -> str:
        """The name of a mean: `activities per step`, or `activities`."""
        return what if self.is_one else f"{what} per {self.unit}"

    def each(self, mean: str) -> str:
        """A mean with what it belongs to: `2 ms a step`, or `2 ms`."""
        return mean if self.is_one else f"{mean} {self.a_unit}"


def window_of(trace: "OpenTrace") -> DiagnosedWindow:
    """Read the window of a trace."""
    return DiagnosedWindow(**trace.id_rows('SELECT w.*, u.unit FROM "window" AS w CROSS JOIN window_unit AS u')[0])


def subject(trace: str, gpus: Iterable[str], window: DiagnosedWindow) -> str:
    """One line: the file, its GPUs (`gpus` has a name for each) and the steps of the window, without control characters."""
    names = [clean(name) for name in gpus]
    many = f"{len(names)} x " if len(names) > 1 else ""
    if window.source in ONE_PIECE:
        what = f"{window.source}, {duration(window.end_ns - window.start_ns)}"
    elif window.unit == window.regime:
        what = f"{count(window.steps, window.unit)} of {duration(window.step_ns)}"
    else:
        left_out = f", {count(window.excluded_steps, window.unit)} before left out" if window.excluded_steps else ""
        what = f"{count(window.steps, window.unit)} of {duration(window.step_ns)} {window.told_apart}{left_out}"
    span = f"from {timestamp(window.start_ns)} to {timestamp(window.end_ns)}"
    return f"{clean(Path(trace).name)}: {many}{', '.join(sorted(set(names)))}, {what}, {span}"
