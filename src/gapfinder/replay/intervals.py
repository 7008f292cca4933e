"""Sets of instants, as intervals (start, end) in ns since the session began."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from gapfinder.pipeline.intervals import cover

Interval = tuple[int, int]
Array = npt.NDArray[Any]
_NONE = np.empty(0, np.int64)


class Intervals:
    """The instants that lie in any of some intervals, as disjoint intervals in order. `a | b` has the instants of both."""

    def __init__(self, start_ns: Array = _NONE, end_ns: Array = _NONE) -> None:
        some = end_ns > start_ns
        start_ns, end_ns = start_ns[some], end_ns[some]
        disjoint = cover({"track": np.zeros(len(start_ns), np.int64), "start_ns": start_ns, "end_ns": end_ns})
        self.start_ns, self.end_ns = disjoint["start_ns"], disjoint["end_ns"]
        self._covered_ns = np.append(0, np.cumsum(self.end_ns - self.start_ns))  # by the first, the first two, …

    @classmethod
    def of(cls, intervals: Iterable[Interval]) -> "Intervals":
        """The instants in any of these intervals."""
        pairs = np.array(list(intervals), np.int64).reshape(-1, 2)
        return cls(pairs[:, 0], pairs[:, 1])

    @property
    def length_ns(self) -> int:
        """How long all of them are together."""
        return int(self._covered_ns[-1])

    def within(self, start_ns: Array, end_ns: Array) -> Array:
        """How much of each span, from `start_ns` to `end_ns`, they cover, in ns."""
        return self._before(end_ns) - self._before(start_ns)

    def _before(self, at_ns: Array) -> Array:
        """How much of the time before each instant they cover, in ns."""
        begun = np.searchsorted(self.start_ns, at_ns, "right")
        last_end_ns = np.append(at_ns[:1], self.end_ns)[begun]
        return self._covered_ns[begun] - np.where(begun > 0, np.maximum(last_end_ns - at_ns, 0), 0)

    def __or__(self, other: "Intervals") -> "Intervals":
        return Intervals(np.append(self.start_ns, other.start_ns), np.append(self.end_ns, other.end_ns))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Intervals):
            return NotImplemented
        return np.array_equal(self.start_ns, other.start_ns) and np.array_equal(self.end_ns, other.end_ns)

    def __hash__(self) -> int:
        return hash(self.length_ns)

    def __repr__(self) -> str:
        return f"Intervals.of({list(zip(self.start_ns.tolist(), self.end_ns.tolist(), strict=True))})"


NO_TIME = Intervals()
