"""The comparison as a page to look at: one HTML file that needs no network."""

from gapfinder.comparison.comparison import Comparison
from gapfinder.report.comparison import page_of


def render(comparison: Comparison, *, width: int, color: bool) -> str:  # noqa: ARG001  the same for every renderer
    """The whole page."""
    return page_of(comparison)
