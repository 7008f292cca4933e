"""Rows with one value below the other, for results with many columns or long texts. No value is cut."""

import polars as pl

from gapfinder.render.columns import columns_of, one_below_another
from gapfinder.render.rows.table import MAX_ROWS, is_plan, more_rows
from gapfinder.render.rows.table import render as as_table

TEXT = COUNTED = True


def render(frame: pl.DataFrame, *, width: int | None, color: bool) -> bytes:
    """The first 1,000 rows, each with all of its columns."""
    if is_plan(frame):
        return as_table(frame, width=width, color=color)
    columns = columns_of(frame.head(MAX_ROWS), whole=True)
    return (one_below_another(columns, width=width, color=color) + more_rows(frame, width)).encode()
