"""Arithmetic of CPU time: intervals of ns since the session began."""

from bisect import bisect_right
from collections.abc import Iterable

Interval = tuple[int, int]


def merged(intervals: Iterable[Interval]) -> list[Interval]:
    """The same time as disjoint intervals in order."""
    result: list[Interval] = []
    for start, end in sorted(intervals):
        if result and start <= result[-1][1]:
            if end > result[-1][1]:
                result[-1] = (result[-1][0], end)
        elif end > start:
            result.append((start, end))
    return result


def covered(spans: list[Interval], intervals: list[Interval]) -> dict[int, int]:
    """How much of each span lies in the intervals, ns, by the span's place; without those of which nothing does.

    Both are disjoint and in order.
    """
    found: dict[int, int] = {}
    for start, end in intervals:
        place = max(0, bisect_right(spans, (start, start)) - 1)
        while place < len(spans) and spans[place][0] < end:
            both = min(end, spans[place][1]) - max(start, spans[place][0])
            if both > 0:
                found[place] = found.get(place, 0) + both
            place += 1
    return found
