"""A table of gaps: times as in Nsight's timeline, in seconds since the session began."""

import polars as pl
from rich.table import Table
from rich.text import Text

from gapfinder.render.terminal import shown
from gapfinder.units import clean, duration, timestamp

TEXT = True
PLAIN_WIDTH = 100
OF_NUMBERS = 52  # columns of the table that numbers and causes take, which are never cut
SHORTEST_NAME = 12


def render(frame: pl.DataFrame, *, width: int | None, color: bool) -> bytes:
    """The rows of `gaps` or `stream_gaps`; names are cut where the terminal is narrow."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    streams = "stream" in frame.columns
    for name in ("GPU", *(("stream",) if streams else ()), "start", "length"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("computing elsewhere" if streams else "cause", justify="right" if streams else "left", no_wrap=not streams)
    columns = width or PLAIN_WIDTH
    for name in ("before", "after"):
        table.add_column(name, no_wrap=True, overflow="ellipsis", max_width=max(SHORTEST_NAME, (columns - OF_NUMBERS) // 2))
    for row in frame.iter_rows(named=True):
        names = [Text(clean(row[side] or "")) for side in ("before", "after")]
        place = [
            str(row["gpu"]),
            *([str(row["stream"])] if streams else []),
            timestamp(row["start_ns"]),
            duration(row["length_ns"]),
        ]
        table.add_row(*place, duration(row["computing_ns"]) if streams else row["cause"], *names)
    return shown([table], width=columns, color=color).encode()
