"""How far the work on a trace is, for those who wait for a long one."""

from collections.abc import Callable
from typing import Self

# What goes on from the first relation of a layer on, and the share of a diagnosis that is over by then, 0 to 1: of a trace of a
# million kernels, and within 0.2 of that in two others.
STAGES = {
    "20_timeline": ("laying out the timeline", 0.35),
    "30_gaps": ("finding gaps", 0.53),
    "50_ledger": ("finding causes", 0.8),
}


class Stage(str):
    """A few words for what goes on, with the share of the work that is over by then: `done`, 0 to 1."""

    __slots__ = ("done",)
    done: float

    def __new__(cls, doing: str, done: float) -> Self:
        """The stage; as a text it is its words."""
        self = super().__new__(cls, doing)
        self.done = done
        return self


class Stages:
    """Calls `progress` as each stage begins."""

    def __init__(self, progress: Callable[[str], None]) -> None:
        self._progress = progress
        self._reached = 0.0

    def reach(self, layer: str) -> None:
        """A relation of this layer is being made. Nothing is said where this stage, or a later one, has begun."""
        doing, done = STAGES.get(layer, ("", 0.0))
        if done > self._reached:
            self._reached = done
            self._progress(Stage(doing, done))


def one_of(progress: Callable[[str], None], place: int, total: int, name: str = "") -> Callable[[str], None]:
    """The progress of one of several traces: `place` of `total` are done before it. Its words begin with its name."""
    head = f"{name}: " if name else ""
    return lambda doing: progress(Stage(f"{head}{doing}", (place + getattr(doing, "done", 0.0)) / total))
