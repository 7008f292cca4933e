"""The report on one trace as HTML."""

from gapfinder.report.data import report_data
from gapfinder.report.page import page
from gapfinder.trace import Trace


def render(trace: Trace) -> str:
    """The whole page."""
    data = report_data(trace, trace.diagnose())
    return page(f"{data['trace']}: {data['diagnosis']['verdict']['cause']}", data, "report.js")
