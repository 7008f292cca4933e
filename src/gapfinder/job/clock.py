"""Aligns the clocks of ranks by the ends of the collectives that they share."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median

MIN_ENDS_FOR_DRIFT = 30  # with fewer ends, a third of them is too few to estimate a drift
MAX_SAMPLES = 500  # ends that are compared for each shift of two sequences
MAX_SHIFT = 64  # how many collectives apart two captures may start, beyond what their clocks say
# A shift fits if the scatter of its ends is at most 4 times that of the best shift plus 20 us. 32 all-reduces of 64 MB in a row,
# one every 1.6 ms, scatter by 8 to 29 us at any shift; there the sessions' start times decide, because shifts are 1.6 ms apart.
FIT_FACTOR, FIT_NS = 4, 20_000
# Nearly as many of them must end together as at the shift at which most do, or as large a share. At a shift by whole steps 62 %
# did (two ranks, 10 steps).
NEARLY = 0.9
MIN_OVERLAP_SHARE = 0.1  # of the longest overlap: a few collectives at the ends fit by chance
MIN_EQUAL_SHARE = 0.9  # share of the activities that must have the same kind and size


@dataclass(frozen=True)
class Clock:
    """Converts times of a rank to times of the first rank: `ref = t + offset_ns + drift * (t - at_ns)`, in ns."""

    offset_ns: float = 0.0
    drift: float = 0.0
    at_ns: float = 0.0

    def ref(self, at_ns: float) -> float:
        """The time `at_ns` of this rank on the clock of the first rank, ns."""
        return at_ns + self.offset_ns + self.drift * (at_ns - self.at_ns)


@dataclass(frozen=True)
class Event:
    """The end of a collective, and its signature, which is the same on all ranks: the kind, and the size if known."""

    end_ns: float
    signature: tuple[object, ...]


def fitted(ends: Sequence[tuple[float, float]]) -> Clock:
    """Fit a clock to pairs (time of the first rank, time of this rank), by Tukey's resistant line through the medians of thirds.

    With fewer than 30 pairs, the clock has an offset and no drift.
    """
    ends = sorted(ends, key=lambda pair: pair[1])
    if len(ends) < MIN_ENDS_FOR_DRIFT:
        return Clock(median(ref - own for ref, own in ends))
    third = len(ends) // 3
    (first_at, first), (last_at, last) = (
        (median(own for _, own in part), median(ref - own for ref, own in part)) for part in (ends[:third], ends[-third:])
    )
    drift = (last - first) / (last_at - first_at) if last_at > first_at else 0.0
    offset = median(ref - own - drift * (own - first_at) for ref, own in ends)
    return Clock(offset, drift, first_at)


def shift(theirs: Sequence[Event], own: Sequence[Event], expected_ns: float | None) -> int | None:
    """The shift of two sequences of the same collectives: `theirs[i]` and `own[i - shift]` are the same collective.

    A collective ends on all ranks together, so at the right shift the ends differ by a constant. If several shifts fit, the one
    nearest to `expected_ns` wins: by the sessions' start times, that is the difference of the clocks. None if no shift fits.
    """
    fits = [fit for by in _shifts(theirs, own, expected_ns) if (fit := _fit(theirs, own, by))]
    if not fits:
        return None
    longest = max(fit.overlap for fit in fits)
    fits = [fit for fit in fits if fit.overlap >= MIN_OVERLAP_SHARE * longest]
    limit_ns = FIT_FACTOR * min(fit.scatter_ns for fit in fits) + FIT_NS
    fits = [fit for fit in fits if fit.scatter_ns <= limit_ns]
    share = {fit.by: fit.together(limit_ns) for fit in fits}
    best = max(fits, key=lambda fit: share[fit.by] * fit.overlap)
    fits = [
        fit
        for fit in fits
        if share[fit.by] >= NEARLY * share[best.by] or share[fit.by] * fit.overlap >= NEARLY * share[best.by] * best.overlap
    ]
    if expected_ns is None:
        return min(fits, key=lambda fit: (fit.scatter_ns, abs(fit.by))).by
    return min(fits, key=lambda fit: abs(fit.middle_ns - expected_ns)).by


@dataclass(frozen=True)
class _Fit:
    """Two sequences of collectives at a shift: how many of them overlap, and the differences of the ends of some of these, ns."""

    by: int
    overlap: int
    differences: list[float]

    @cached_property
    def middle_ns(self) -> float:
        """The usual difference."""
        return median(self.differences)

    @cached_property
    def scatter_ns(self) -> float:
        """How far the differences are from the usual one, as a rule."""
        return median(abs(ns - self.middle_ns) for ns in self.differences)

    def together(self, limit_ns: float) -> float:
        """The share of the collectives that end together, within this limit."""
        return sum(abs(ns - self.middle_ns) <= limit_ns for ns in self.differences) / len(self.differences)


def _fit(theirs: Sequence[Event], own: Sequence[Event], by: int) -> _Fit | None:
    """The two sequences at a shift. None if too few of them overlap, or these are not the same collectives."""
    low, high = max(0, by), min(len(theirs), len(own) + by)
    if high - low < min(3, len(own), len(theirs)):
        return None
    indices = range(low, high, max(1, (high - low) // MAX_SAMPLES))
    if sum(theirs[index].signature == own[index - by].signature for index in indices) < MIN_EQUAL_SHARE * len(indices):
        return None
    return _Fit(by, high - low, [theirs[index].end_ns - own[index - by].end_ns for index in indices])


def _shifts(theirs: Sequence[Event], own: Sequence[Event], expected_ns: float | None) -> list[int]:
    """The shifts to try: between those that align the first or the last collectives, and around the one that the clocks say."""
    ends = (0, len(theirs) - len(own))
    shifts = {*range(min(ends) - MAX_SHIFT, max(ends) + MAX_SHIFT + 1)}
    if expected_ns is None:
        return sorted(shifts)
    middle = own[len(own) // 2].end_ns + expected_ns
    index = min(range(len(theirs)), key=lambda index: abs(theirs[index].end_ns - middle))
    by = index - len(own) // 2
    return sorted(shifts | {*range(by - MAX_SHIFT, by + MAX_SHIFT + 1)})
