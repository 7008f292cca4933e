"""Which rows are read where a window in times is wanted: those in it, and what may matter to them."""

from dataclasses import dataclass

from gapfinder.options import Window

# Before and after the window. What a thread waits in is read whole in any case, and so is the launch of each activity, however long
# that lay in its queue; what is left is what was launched and waited for right before. So the diagnosis of a window in the middle
# of 68 real traces is that of the whole trace, but for one in which all is still being compiled.
MARGIN_NS = 1_000_000_000
ALL = "true"  # the condition that every row meets
TOLD_BY_RANGES = "NVTX_EVENTS"  # which tell the steps, and number them: all of them are read


@dataclass(frozen=True)
class Part:
    """The times, ns since the session began, between which rows are read."""

    from_ns: int
    to_ns: int

    @classmethod
    def of(cls, window: Window) -> "Part | None":
        """That of a window in times; None for others, since steps are found in a whole trace alone."""
        if window.from_ns is None or window.to_ns is None:
            return None
        return cls(window.from_ns - MARGIN_NS, window.to_ns + MARGIN_NS)

    def holds(self, table: str, columns: set[str]) -> str:
        """The condition, in SQL, under which a row of this table is read."""
        if table == TOLD_BY_RANGES or not {"start", "end"} <= columns:
            return ALL
        return f'("end" > {self.from_ns} AND "start" < {self.to_ns})'
