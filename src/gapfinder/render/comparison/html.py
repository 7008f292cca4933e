"""The comparison as a page to look at: one HTML file that needs no network."""

from gapfinder.comparison.comparison import Comparison
from gapfinder.report.comparison import comparison_data
from gapfinder.report.page import page


def render(comparison: Comparison, *, width: int, color: bool) -> str:  # noqa: ARG001  the same for every renderer
    """The whole page."""
    return page(comparison.last.headline, comparison_data(comparison), "comparison.js")
