"""Where the seconds of a run go. Stages are timed wherever they run; `gapfinder --timings` prints them."""

import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock

_STARTED_S = time.perf_counter()
_lock = Lock()
_spent_s: defaultdict[tuple[str, str], float] = defaultdict(float)


@dataclass(frozen=True)
class Timing:
    """Seconds spent in a stage, in one of its parts: a table that was read, or a relation that was made."""

    stage: str
    part: str
    seconds: float


@contextmanager
def timed(stage: str, part: str) -> Iterator[None]:
    """Add the time of the block to a part of a stage. Stages run at once, so their sum may exceed the run."""
    began_s = time.perf_counter()
    try:
        yield
    finally:
        with _lock:
            _spent_s[stage, part] += time.perf_counter() - began_s


def timings() -> list[Timing]:
    """All that was timed, the longest first."""
    with _lock:
        found = [Timing(stage, part, seconds) for (stage, part), seconds in _spent_s.items()]
    return sorted(found, key=lambda timing: -timing.seconds)


def elapsed_s() -> float:
    """Seconds since this module was imported, which is when gapfinder begins."""
    return time.perf_counter() - _STARTED_S
