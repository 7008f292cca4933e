"""Which rows are read for a window in times: the rows inside it, and those before and after it that may matter to them."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from gapfinder.options import Window

# How much is read before and after the window. Intervals that reach into it, such as waits, are read in any case, and so is the
# launch of each activity, however long the activity was queued. The margin is for the launches and waits right before the window.
# With 1 s, the diagnosis of a window in the middle of 68 real traces was that of the whole trace, except for one trace in which
# code was still being compiled.
MARGIN_NS = 1_000_000_000
ALL_ROWS = "true"
STEP_TABLE = "NVTX_EVENTS"  # steps are found and numbered by its ranges, so all of them are read


@dataclass(frozen=True)
class ReadRange:
    """The interval, in ns since the session began, from which rows are read."""

    from_ns: int
    to_ns: int

    @classmethod
    def of(cls, window: Window) -> "ReadRange | None":
        """The range for a window in times; None for other windows, because steps are found only in a whole trace."""
        if window.from_ns is None or window.to_ns is None:
            return None
        return cls(window.from_ns - MARGIN_NS, window.to_ns + MARGIN_NS)

    def condition(self, table: str, columns: AbstractSet[str]) -> str:
        """The SQL condition under which a row of the table is read. One without times is, since it is damage."""
        if table == STEP_TABLE or not {"start", "end"} <= columns:
            return ALL_ROWS
        return f'coalesce("end" > {self.from_ns} AND "start" < {self.to_ns}, true)'
