"""The comparison as a page: one HTML file that works without a network."""

from gapfinder.comparison.comparison import Comparison
from gapfinder.report.comparison import page_of


def render(comparison: Comparison, *, width: int, color: bool) -> str:  # noqa: ARG001  part of the protocol
    """The whole page."""
    return page_of(comparison)
