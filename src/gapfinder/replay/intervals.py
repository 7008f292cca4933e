"""Arithmetic of CPU time: intervals of ns since the session began."""

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
    place = 0
    for start, end in intervals:
        while place < len(spans) and spans[place][1] <= start:
            place += 1
        at = place
        while at < len(spans) and spans[at][0] < end:
            both = min(end, spans[at][1]) - max(start, spans[at][0])
            if both > 0:
                found[at] = found.get(at, 0) + both
            at += 1
    return found
