"""Arithmetic of intervals: (start, end) in ns since the session began."""

from collections.abc import Iterable

Interval = tuple[int, int]


def merged(intervals: Iterable[Interval]) -> list[Interval]:
    """The union of the intervals, as disjoint intervals in order."""
    result: list[Interval] = []
    for start, end in sorted(intervals):
        if result and start <= result[-1][1]:
            if end > result[-1][1]:
                result[-1] = (result[-1][0], end)
        elif end > start:
            result.append((start, end))
    return result


def covered(spans: list[Interval], intervals: list[Interval]) -> dict[int, int]:
    """How much of each span the intervals cover, in ns by the span's index. Spans that nothing covers are left out.

    Spans and intervals must be disjoint and in order.
    """
    result: dict[int, int] = {}
    first = 0
    for start, end in intervals:
        while first < len(spans) and spans[first][1] <= start:
            first += 1
        index = first
        while index < len(spans) and spans[index][0] < end:
            overlap = min(end, spans[index][1]) - max(start, spans[index][0])
            if overlap > 0:
                result[index] = result.get(index, 0) + overlap
            index += 1
    return result
