"""The window of a trace as data."""

from gapfinder.diagnosis.diagnosis import Window
from gapfinder.trace import Trace


def window_of(trace: Trace) -> Window:
    """The part of the trace that is looked at."""
    row = trace.facts('SELECT * FROM "window"')[0]
    return Window(
        row["start_ns"],
        row["end_ns"],
        row["steps"],
        row["step_ns"],
        row["source"],
        row["step_name"],
        row["excluded_steps"],
    )
