"""The options of a diagnosis, and how they are written."""

import re
from dataclasses import dataclass, replace
from operator import index
from typing import SupportsIndex

from gapfinder.errors import UsageError, did_you_mean
from gapfinder.system.memory import parse_size
from gapfinder.system.texts import check_text
from gapfinder.units import NS

MAX_NS = 10**18  # 32 years
LAST_DEVICE = 2**31 - 1
REGIMES = ("start-up", "steps", "validation", "checkpoint", "epoch start", "end")  # the kinds in regimes.sql
_TIME = re.compile(r"(\d{1,18}(?:\.\d{1,9})?)(ns|us|ms|s)")


@dataclass(frozen=True)
class Window:
    """The part of a trace to diagnose: all of it, a kind of regime, steps (counted from 0, both ends included), or times.

    By default it is the kind of regime that loses most after start-up: mostly the steps after warm-up. With `steps_first` it is
    the steps wherever there are some, as all ranks of a job have to speak of the same.
    """

    everything: bool = False
    regime: str | None = None
    from_step: int | None = None
    to_step: int | None = None
    from_ns: int | None = None
    to_ns: int | None = None
    steps_first: bool = False

    @classmethod
    def parse(cls, text: str) -> "Window":
        """`all`; a kind of regime, as `steps`; steps as `5..20`, `5..` or `7`; times as `1.5s..2s` (units s, ms, us, ns).

        Raises UsageError.
        """
        if text == "all":
            return cls(everything=True)
        if text in REGIMES:
            return cls(regime=text)
        first, dots, last = text.partition("..")
        if re.fullmatch(r"\d{1,9}", first) and re.fullmatch(r"\d{0,9}", last):
            start = int(first)
            end = int(last) if last else None if dots else start
            if end is None or end >= start:
                return cls(from_step=start, to_step=end)
        elif dots and _TIME.fullmatch(first) and _TIME.fullmatch(last):
            start, end = nanoseconds(first), nanoseconds(last)
            if end > start:
                return cls(from_ns=start, to_ns=end)
        near, kinds = did_you_mean(text, REGIMES), ", ".join(REGIMES)
        raise UsageError(f"{text!r} is not a window{near}: give all, {kinds}, numbers of steps as 5..20, or times as 1.5s..2s")


@dataclass(frozen=True)
class Options:
    """The options of one diagnosis.

    `step` is the name of the NVTX range of a step, `device` the only GPU to look at. Gaps shorter than `min_gap_ns` are counted
    but not listed. `memory_bytes` is the memory limit; None means half of the free memory.
    """

    step: str | None = None
    window: Window = Window()
    device: int | None = None
    min_gap_ns: int = 0
    memory_bytes: int | None = None

    @classmethod
    def parse(
        cls, step: str | None, window: str | int | None, device: int | None, memory_limit: str | None, min_gap: str = "0ns"
    ) -> "Options":
        """Parse options as they are written on the command line. Raises UsageError."""
        window = str(window) if isinstance(window, int) else window
        for name, text in (("step", step), ("window", window), ("memory limit", memory_limit)):
            if text is not None:
                check_text(text)
                if not text.strip():
                    raise UsageError(f"the {name} is empty: name one, or leave the option out")
        check_text(min_gap)
        if device is not None:
            number = -1 if isinstance(device, bool) or not isinstance(device, SupportsIndex) else index(device)
            if not 0 <= number <= LAST_DEVICE:
                raise UsageError(f"there is no GPU {device}")
            device = number
        memory_bytes = parse_size(memory_limit) if memory_limit else None
        return cls(step, Window.parse(window) if window is not None else Window(), device, nanoseconds(min_gap), memory_bytes)

    @property
    def names_a_part(self) -> bool:
        """Whether a choice names a step, a GPU, or a window of steps or times, which the trace may lack."""
        chosen = (self.step, self.device, self.window.from_step, self.window.from_ns)
        return any(choice is not None for choice in chosen)

    def for_rank(self) -> "Options":
        """The options for a rank of a job: its window is its steps, wherever the user chose none."""
        return replace(self, window=replace(self.window, steps_first=True))

    def columns(self) -> dict[str, tuple[object, str, str]]:
        """The row of the relation `options`: value, SQL type and meaning by column. The value of what was not given is None."""
        window = self.window
        return {
            "step_name": (self.step, "VARCHAR", "NVTX range that is one step"),
            "window_all": (window.everything or None, "BOOLEAN", "true for the whole trace as one window"),
            "window_regime": (window.regime, "VARCHAR", "kind of regime, as in regimes"),
            "window_steps_first": (
                window.steps_first or None,
                "BOOLEAN",
                "true for a rank of a job: steps where there are some",
            ),
            "window_from_step": (window.from_step, "BIGINT", "first step of the window"),
            "window_to_step": (window.to_step, "BIGINT", "last step of the window"),
            "window_from_ns": (window.from_ns, "BIGINT", "start of the window, ns since the session began"),
            "window_to_ns": (window.to_ns, "BIGINT", "end of the window, ns since the session began"),
            "device": (self.device, "BIGINT", "the only GPU to look at"),
        }


def nanoseconds(text: str) -> int:
    """A time such as 1.5s, 20us or 300ns, in ns. Raises UsageError."""
    if not (match := _TIME.fullmatch(text)):
        raise UsageError(f"{text!r} is not a time: give a number and a unit, as in 20us or 1.5s")
    if (ns := round(float(match[1]) * NS[match[2]])) > MAX_NS:
        raise UsageError(f"{text!r} is longer than any trace")
    return ns
