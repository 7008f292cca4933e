"""The gaps of a trace as a polars frame."""

import polars as pl

from gapfinder.trace import OpenTrace

VIEWS = {"device": "gaps", "stream": "stream_gaps"}


def list_gaps(
    trace: OpenTrace,
    *,
    by: str,
    cause: str | None = None,
    sort: str = "length_ns",
    segments: bool = False,
) -> pl.DataFrame:
    """The gaps of each GPU (`by="device"`) or stream (`by="stream"`), with the columns of the view `gaps` or `stream_gaps`.

    `sort` is length_ns (longest first) or start_ns (earliest first). Gaps shorter than `min_gap_ns` of the options are left out.
    With `segments`, gaps of GPUs get a column `segments`: a list of structs, as in the view `gap_segments`.
    """
    frame = trace.frame(f"SELECT * FROM {VIEWS[by]}").filter(pl.col("length_ns") >= trace.options.min_gap_ns)
    if cause:
        frame = frame.filter(pl.col("cause") == cause)
    frame = frame.sort(sort, "gpu", "start_ns", descending=[sort == "length_ns", False, False])
    if by == "device":
        if segments:
            frame = frame.join(trace.frame("SELECT * FROM gap_segments"), on="gap_id", how="left", maintain_order="left")
        frame = frame.drop("gap_id")
    return frame
