"""The list of gaps as a polars frame, a table for a terminal, or a file."""

from shutil import get_terminal_size

import polars as pl
from rich.table import Table
from rich.text import Text

from gapfinder.render.terminal import shown
from gapfinder.trace import Trace
from gapfinder.units import clean, duration

VIEWS = {"device": "gaps", "stream": "stream_gaps"}
PLAIN_WIDTH = 100
OF_NUMBERS = 52  # columns of the table that numbers and causes take, which are never cut
SHORTEST_NAME = 12


def listed(
    trace: Trace,
    *,
    by: str,
    cause: str | None = None,
    sort: str = "length_ns",
    limit: int | None = None,
    segments: bool = False,
) -> pl.DataFrame:
    """Gaps of each GPU (`by="device"`) or stream (`by="stream"`), with the columns of the views `gaps` or `stream_gaps`.

    `sort` is length_ns (longest first) or start_ns (earliest first); gaps shorter than the options' minimum are left
    out. With `segments`, gaps of GPUs get a column of that name: a list of structs, as in `gap_segments`.
    """
    frame = trace.frame(f"SELECT * FROM {VIEWS[by]}").filter(pl.col("length_ns") >= trace.options.min_gap_ns)
    if cause:
        frame = frame.filter(pl.col("cause") == cause)
    frame = frame.sort(sort, "gpu", "start_ns", descending=[sort == "length_ns", False, False])
    if limit:
        frame = frame.head(limit)
    if by == "device":
        if segments:
            frame = frame.join(trace.frame("SELECT * FROM gap_segments"), on="gap_id", how="left", maintain_order="left")
        frame = frame.drop("gap_id")
    return frame


def as_text(frame: pl.DataFrame, format_: str) -> str:
    """The frame as csv, or as json: an array of objects."""
    return frame.write_csv() if format_ == "csv" else frame.write_json() + "\n"


def table_text(frame: pl.DataFrame, *, color: bool) -> str:
    """The frame as a table: times as in Nsight's timeline, in seconds since the session began."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    streams = "stream" in frame.columns
    for name in ("GPU", *(("stream",) if streams else ()), "start", "length"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("computing elsewhere" if streams else "cause", justify="right" if streams else "left", no_wrap=not streams)
    width = get_terminal_size().columns if color else PLAIN_WIDTH
    for name in ("before", "after"):
        table.add_column(name, no_wrap=True, overflow="ellipsis", max_width=max(SHORTEST_NAME, (width - OF_NUMBERS) // 2))
    for row in frame.iter_rows(named=True):
        names = [Text(clean(row[side] or "")) for side in ("before", "after")]
        place = [
            str(row["gpu"]),
            *([str(row["stream"])] if streams else []),
            f"{row['start_ns'] / 1e9:.6f} s",
            duration(row["length_ns"]),
        ]
        table.add_row(*place, duration(row["computing_ns"]) if streams else row["cause"], *names)
    return shown([table], width=width, color=color)
