"""The progress of a diagnosis."""

from collections.abc import Callable
from typing import Self

from gapfinder.units import clean

# The stage that begins with the first relation of a layer, and the share of a diagnosis that is done by then, 0 to 1, measured
# with a trace of a million kernels. In two other traces it differed by at most 0.2.
STAGES = {
    "20_activities": ("laying out the timeline", 0.35),
    "30_gaps": ("finding gaps", 0.53),
    "50_ledger": ("finding causes", 0.8),
}


class Stage(str):
    """A few words for a stage, with the share of the work that is done before it: `done`, 0 to 1."""

    __slots__ = ("done",)
    done: float

    def __new__(cls, doing: str, done: float) -> Self:
        """A stage. As a string it is its words."""
        self = super().__new__(cls, doing)
        self.done = done
        return self


class Stages:
    """Calls `progress` as each stage begins."""

    def __init__(self, progress: Callable[[str], None]) -> None:
        self._progress = progress
        self._reached = 0.0

    def reach(self, layer: str) -> None:
        """Report that a relation of this layer is being made, unless its stage or a later one has already begun."""
        doing, done = STAGES.get(layer, ("", 0.0))
        if done > self._reached:
            self._reached = done
            self._progress(Stage(doing, done))


def silent(_: str) -> None:
    """A progress that nobody sees."""


def one_of(progress: Callable[[str], None], place: int, total: int, name: str = "") -> Callable[[str], None]:
    """The progress of one of several traces, of which `place` of `total` are done. Its words begin with the name of the trace."""
    head = f"{clean(name)}: " if name else ""
    return lambda doing: progress(Stage(f"{head}{doing}", (place + getattr(doing, "done", 0.0)) / total))
