"""The gates of a comparison as JUnit XML, for CI systems."""

from gapfinder.comparison.comparison import Comparison
from gapfinder.render.junit import junit


def render(comparison: Comparison, *, width: int, color: bool) -> str:  # noqa: ARG001  part of the protocol
    """One test suite with a test case for each gate."""
    return junit("compare", [trace.trace for trace in comparison.traces], comparison.gates)
