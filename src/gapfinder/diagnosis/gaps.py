"""The gaps of a trace as a polars frame."""

import sys
from collections.abc import Collection

import polars as pl

from gapfinder.errors import UsageError, did_you_mean
from gapfinder.system.texts import check_text
from gapfinder.trace import OpenTrace

VIEWS = {"device": "gaps", "stream": "stream_gaps"}
ORDERS = {"length_ns": "length_ns DESC, gpu, start_ns", "start_ns": "start_ns, gpu"}


def list_gaps(
    trace: OpenTrace,
    *,
    by: str,
    cause: str | None = None,
    sort: str = "length_ns",
    limit: int | None = None,
    segments: bool = False,
) -> pl.DataFrame:
    """The gaps of each GPU (`by="device"`) or stream (`by="stream"`), with the columns of the view `gaps` or `stream_gaps`.

    With `cause`, only gaps whose longest segment has that cause. `sort` is length_ns, longest first, or start_ns, earliest first.
    Gaps shorter than `min_gap_ns` of the options are left out, and with `limit` all after that number. With `segments`, gaps of
    GPUs get a column `segments`: a list of structs, as in the view `gap_segments`.
    Raises UsageError if there is no such cause, or no such kind of gaps.
    """
    last = "gap_id" if by == "device" else "stream"
    most = "" if limit is None else f"LIMIT {min(limit, sys.maxsize)}"
    frame = trace.frame(f"SELECT * {_chosen(trace, by, cause)} ORDER BY {ORDERS[sort]}, {last} {most}")
    if segments and by == "device":
        frame = frame.join(trace.frame("SELECT * FROM gap_segments"), on="gap_id", how="left", maintain_order="left")
    return frame


def count_gaps(trace: OpenTrace, *, by: str, cause: str | None = None) -> int:
    """The number of rows of `list_gaps`. Raises as it does."""
    return int(trace.frame(f"SELECT count(*) {_chosen(trace, by, cause)}").item())


def _chosen(trace: OpenTrace, by: str, cause: str | None) -> str:
    check(by, cause, trace.config.causes)
    has_cause = "" if cause is None else f"AND cause = '{cause}'"  # a known one, so no quote is in it
    return f"FROM {VIEWS[by]} WHERE length_ns >= {trace.options.min_gap_ns} {has_cause}"


def lost_elsewhere(trace: OpenTrace) -> float:
    """The share of the lost time of the window that is not in gaps: activities run, and nothing computes."""
    query = "SELECT sum(end_ns - start_ns) FILTER (gap_id IS NULL) / sum(end_ns - start_ns) FROM window_segments"
    ((share,),) = trace.tuples(query)
    return float(share or 0)


def check(by: str, cause: str | None, known: Collection[str]) -> None:
    """Raises UsageError for another `by`, a cause that is not `known`, or a cause of streams, whose gaps have none."""
    if not isinstance(by, str) or by not in VIEWS:
        raise UsageError(f"there are no gaps by {by!r}: by is {' or '.join(VIEWS)}")
    if cause is None:
        return
    check_text(cause)
    if cause not in known:
        raise UsageError(f"there is no cause {cause!r}{did_you_mean(cause, known)}; the causes are {', '.join(sorted(known))}")
    if by == "stream":
        raise UsageError("gaps of streams have no cause: leave out the cause, or list those of devices")
