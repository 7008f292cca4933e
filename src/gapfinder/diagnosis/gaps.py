"""The gaps of a trace as a polars frame."""

from collections.abc import Collection

import polars as pl

from gapfinder.errors import UsageError, did_you_mean
from gapfinder.system.texts import check_text
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

    With `cause`, only gaps whose longest segment has that cause. `sort` is length_ns, longest first, or start_ns, earliest first.
    Gaps shorter than `min_gap_ns` of the options are left out. With `segments`, gaps of GPUs get a column `segments`: a list of
    structs, as in the view `gap_segments`.
    Raises UsageError if there is no such cause, or no such kind of gaps.
    """
    check(by, cause, trace.config.causes)
    frame = trace.frame(f"SELECT * FROM {VIEWS[by]}").filter(pl.col("length_ns") >= trace.options.min_gap_ns)
    if cause is not None:
        frame = frame.filter(pl.col("cause") == cause)
    frame = frame.sort(sort, "gpu", "start_ns", descending=[sort == "length_ns", False, False])
    if segments and by == "device":
        frame = frame.join(trace.frame("SELECT * FROM gap_segments"), on="gap_id", how="left", maintain_order="left")
    return frame


def lost_elsewhere(trace: OpenTrace) -> float:
    """The share of the lost time of the window that is not in gaps: activities run, and nothing computes."""
    query = "SELECT sum(end_ns - start_ns) FILTER (gap_id IS NULL) / sum(end_ns - start_ns) FROM window_segments"
    ((share,),) = trace.tuples(query)
    return float(share or 0)


def check(by: str, cause: str | None, known: Collection[str]) -> None:
    """Raises UsageError if there are no such gaps. `known` are all causes."""
    if not isinstance(by, str) or by not in VIEWS:
        raise UsageError(f"there are no gaps by {by!r}: by is {' or '.join(VIEWS)}")
    if cause is None:
        return
    check_text(cause)
    if cause not in known:
        raise UsageError(f"there is no cause {cause!r}{did_you_mean(cause, known)}; the causes are {', '.join(sorted(known))}")
    if by == "stream":
        raise UsageError("gaps of streams have no cause: leave out the cause, or list those of devices")
