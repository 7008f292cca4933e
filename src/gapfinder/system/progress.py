"""How far the work on a trace is, for those who wait for a long one."""

import time
from collections.abc import Callable

TOLD_AFTER_S = 5.0  # a shorter wait needs no estimate


class Estimate:
    """Tells `progress` what goes on, and from `TOLD_AFTER_S` on how much is done and about how long the rest takes."""

    def __init__(self, progress: Callable[[str], None]) -> None:
        self._progress = progress
        self._began = time.monotonic()

    def tell(self, doing: str, done: float) -> None:
        """`done` is the share of the time that is usually over when this begins, 0 to 1."""
        past_s = time.monotonic() - self._began
        if past_s >= TOLD_AFTER_S and done > 0:
            left_s = past_s * (1 - done) / done
            left = f"{left_s:.0f} s" if left_s < 100 else f"{left_s / 60:.0f} min"
            doing = f"{doing} ({done:.0%} done, about {left} left)"
        self._progress(doing)
