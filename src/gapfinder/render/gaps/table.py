"""A table of gaps. Start times are in seconds since the session began, as in Nsight's timeline."""

import polars as pl
from rich.table import Table
from rich.text import Text

from gapfinder.render.terminal import to_text
from gapfinder.units import clean, duration, timestamp

TEXT = True
PLAIN_WIDTH = 100
NUMBERS_WIDTH = 52  # characters for numbers and causes, which are never cut
MIN_NAME_WIDTH = 12  # characters


def render(frame: pl.DataFrame, *, width: int | None, color: bool) -> bytes:
    """The rows of the view `gaps` or `stream_gaps`. In a narrow terminal, names are cut."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    streams = "stream" in frame.columns
    for name in ("GPU", *(("stream",) if streams else ()), "start", "length"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("computing elsewhere" if streams else "cause", justify="right" if streams else "left", no_wrap=not streams)
    columns = width or PLAIN_WIDTH
    for name in ("before", "after"):
        table.add_column(name, no_wrap=True, overflow="ellipsis", max_width=max(MIN_NAME_WIDTH, (columns - NUMBERS_WIDTH) // 2))
    for row in frame.iter_rows(named=True):
        names = [Text(clean(row[side] or "")) for side in ("before", "after")]
        cells = [
            str(row["gpu"]),
            *([str(row["stream"])] if streams else []),
            timestamp(row["start_ns"]),
            duration(row["length_ns"]),
        ]
        table.add_row(*cells, duration(row["computing_ns"]) if streams else row["cause"], *names)
    return to_text([table], width=columns, color=color).encode()
