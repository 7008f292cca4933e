"""Rows as a table for a terminal. It marks NULL, and limits the number of rows, and of columns to those that fit."""

import polars as pl

from gapfinder.render.columns import columns_of, side_by_side
from gapfinder.units import clean_text, count

TEXT = COUNTED = True
MAX_ROWS = 1000


def render(frame: pl.DataFrame, *, width: int | None, color: bool) -> bytes:
    """The first 1,000 rows, with all columns or those that fit into the terminal. Lines below say what is left out."""
    if is_plan(frame):
        return "".join(f"{clean_text(line)}\n" for text in frame["explain_value"] for line in text.splitlines()).encode()
    return (side_by_side(columns_of(frame.head(MAX_ROWS)), width=width, color=color) + more_rows(frame, width)).encode()


def is_plan(frame: pl.DataFrame) -> bool:
    """Whether these are not rows, but the plan that EXPLAIN shows."""
    return frame.columns == ["explain_key", "explain_value"]


def more_rows(frame: pl.DataFrame, width: int | None) -> str:
    """What is said below the first 1,000 rows; nothing where these are all. In a terminal the number of rows is told anyway."""
    if frame.is_empty() and width is None:
        return "\nno rows\n"
    more = max(0, frame.height - MAX_ROWS)
    return f"\n{count(more, 'row')} more: use LIMIT, or another format to see all\n" if more else ""
