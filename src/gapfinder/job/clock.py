"""The clocks of ranks: what lies between them, from the ends of the collectives that they share."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

FEWEST_FOR_DRIFT = 30  # of fewer ends, a third says too little about a slope
SAMPLED = 500  # ends that are looked at for each shift of two sequences
SHIFTS = 64  # collectives by which two captures may begin apart, beyond what their clocks say
# Shifts whose ends scatter so much more than the best one's fit as well: 32 all-reduces of 64 MB in a row, one every 1.6 ms, fit
# within 8 to 29 us whichever is taken for the first, and the sessions' start times are 1.6 ms more right than the next shift.
AS_GOOD_TIMES, AS_GOOD_NS = 4, 20_000
ALIKE = 0.9  # of the activities, at least so many must be of the same kind and size


@dataclass(frozen=True)
class Clock:
    """From a rank's clock to that of the first rank: `ref = t + offset_ns + drift * (t - at_ns)`."""

    offset_ns: float = 0.0
    drift: float = 0.0
    at_ns: float = 0.0

    def ref(self, at_ns: float) -> float:
        """A time on the clock of the first rank, ns."""
        return at_ns + self.offset_ns + self.drift * (at_ns - self.at_ns)


@dataclass(frozen=True)
class Event:
    """The end of a collective, and what must be the same on all ranks: its kind, and its size where known."""

    end_ns: float
    what: tuple[object, ...]


def fitted(ends: Sequence[tuple[float, float]]) -> Clock:
    """The clock that brings the second of each pair to the first: a resistant line (Tukey, through the thirds' medians)."""
    ends = sorted(ends, key=lambda pair: pair[1])
    if len(ends) < FEWEST_FOR_DRIFT:
        return Clock(median(ref - own for ref, own in ends))
    third = len(ends) // 3
    (first_at, first), (last_at, last) = (
        (median(own for _, own in part), median(ref - own for ref, own in part)) for part in (ends[:third], ends[-third:])
    )
    drift = (last - first) / (last_at - first_at) if last_at > first_at else 0.0
    offset = median(ref - own - drift * (own - first_at) for ref, own in ends)
    return Clock(offset, drift, first_at)


def shift(theirs: Sequence[Event], own: Sequence[Event], expected_ns: float | None) -> int | None:
    """By how many places `own` begins later in the same sequence: `theirs[i]` is `own[i - shift]`.

    A collective ends on all ranks together, so the right shift has ends that are the same time apart. Where several fit, the one
    nearest to `expected_ns`, which by the sessions' start times is to be added to own times. None where none fits.
    """
    found: list[tuple[float, float, int]] = []
    for by in _shifts(theirs, own, expected_ns):
        low, high = max(0, by), min(len(theirs), len(own) + by)
        if high - low < min(3, len(own), len(theirs)):
            continue
        places = range(low, high, max(1, (high - low) // SAMPLED))
        if sum(theirs[place].what == own[place - by].what for place in places) < ALIKE * len(places):
            continue
        apart = [theirs[place].end_ns - own[place - by].end_ns for place in places]
        middle = median(apart)
        found.append((median(abs(ns - middle) for ns in apart), middle, by))
    if not found:
        return None
    limit = AS_GOOD_TIMES * min(scatter for scatter, _, _ in found) + AS_GOOD_NS
    fitting = [row for row in found if row[0] <= limit]
    if expected_ns is None:
        return min(fitting, key=lambda row: (row[0], abs(row[2])))[2]
    return min(fitting, key=lambda row: abs(row[1] - expected_ns))[2]


def _shifts(theirs: Sequence[Event], own: Sequence[Event], expected_ns: float | None) -> range:
    """The shifts to try: around what the clocks say, or around those that align the first or the last activities."""
    if expected_ns is None:
        ends = (0, len(theirs) - len(own))
        return range(min(ends) - SHIFTS, max(ends) + SHIFTS + 1)
    middle = own[len(own) // 2].end_ns + expected_ns
    place = min(range(len(theirs)), key=lambda place: abs(theirs[place].end_ns - middle))
    by = place - len(own) // 2
    return range(by - SHIFTS, by + SHIFTS + 1)
