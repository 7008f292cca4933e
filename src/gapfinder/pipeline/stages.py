"""How far the work on a trace is, for those who wait for a long one."""

import time
from collections.abc import Callable

QUIET_S = 5.0  # a shorter wait needs no estimate
# What goes on from the first relation of a layer on, and the share of a diagnosis that is over by then, 0 to 1: of a trace of a
# million kernels, and within 0.2 of that in two others.
STAGES = {
    "20_timeline": ("laying out the timeline", 0.35),
    "30_gaps": ("finding gaps", 0.53),
    "50_ledger": ("finding causes", 0.8),
}


class Stages:
    """Calls `progress` as each stage begins; after `QUIET_S` with how much is done, and about how long the rest takes."""

    def __init__(self, progress: Callable[[str], None]) -> None:
        self._progress = progress
        self._began_s = time.monotonic()
        self._reached = 0.0

    def reach(self, layer: str) -> None:
        """A relation of this layer is being made. Nothing is said where this stage, or a later one, has begun."""
        doing, done = STAGES.get(layer, ("", 0.0))
        if done <= self._reached:
            return
        self._reached = done
        past_s = time.monotonic() - self._began_s
        if past_s >= QUIET_S:
            left_s = past_s * (1 - done) / done
            left = f"{left_s:.0f} s" if left_s < 100 else f"{left_s / 60:.0f} min"
            doing = f"{doing} ({done:.0%} done, about {left} left)"
        self._progress(doing)
