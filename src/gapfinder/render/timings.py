"""Renders where the seconds of a run went."""

from collections import defaultdict
from collections.abc import Sequence

from gapfinder.system.timings import Timing

SHOWN = 10  # parts


def render(timings: Sequence[Timing], elapsed_s: float) -> str:
    """The seconds of each stage and of the longest parts, in lines of text."""
    stages: defaultdict[str, float] = defaultdict(float)
    for timing in timings:
        stages[timing.stage] += timing.seconds
    rows = sorted(stages.items(), key=lambda row: -row[1])
    longest = [(f"{timing.stage}: {timing.part}", timing.seconds) for timing in timings[:SHOWN] if timing.part]
    width = max((len(name) for name, _ in (*rows, *longest)), default=0)
    return "\n".join(
        [
            f"{elapsed_s:.2f} s in all; stages run at once where they can, so that they may add up to more",
            *(f"  {name:<{width}}  {seconds:6.2f} s  {seconds / elapsed_s:4.0%}" for name, seconds in rows),
            "of these the longest",
            *(f"  {name:<{width}}  {seconds:6.2f} s  {seconds / elapsed_s:4.0%}" for name, seconds in longest),
        ]
    )
