"""The headline of a comparison: one sentence with its numbers."""

from gapfinder.comparison.comparison import Speedup, StepTime
from gapfinder.units import duration


def headline(obstacles: list[str], before: StepTime | None, after: StepTime | None, speedup: Speedup | None) -> str:
    """Whether a step of AFTER is faster, and by how much; or why that is unknown."""
    if obstacles:
        return f"Not comparable: {'; '.join(obstacles)}."
    if not (before and after and speedup):
        return "Step times are unknown."
    times = f"a step takes {duration(after.ns)}, and took {duration(before.ns)}"
    if speedup.low is None or speedup.high is None:
        return f"{factor(speedup.ratio)} times as fast, but too few steps to tell it from noise: {times}."
    within = f"95 %: {factor(speedup.low)} to {factor(speedup.high)}"
    if beyond_noise(speedup):
        slower = "Slower, " if speedup.ratio < 1 else ""
        return f"{slower}{factor(speedup.ratio)} times as fast ({within}): {times}."
    return f"No difference beyond noise: {times} ({factor(speedup.ratio)} times as fast, {within})."


def beyond_noise(speedup: Speedup | None) -> bool | None:
    """Whether the confidence interval excludes 1; None if there is no interval."""
    if speedup is None or speedup.low is None or speedup.high is None:
        return None
    return not speedup.low <= 1 <= speedup.high


def factor(ratio: float) -> str:
    """A speedup with three significant digits, and one more near 1: 0.715, 1.003, 1.40, 12.4."""
    return f"{ratio:.{3 if ratio < 1.095 else 2 if ratio < 9.995 else 1 if ratio < 99.95 else 0}f}"
