"""Rows with one value below the other, for results with many columns or long texts. No value is cut."""

from collections.abc import Iterable
from typing import BinaryIO

import polars as pl

from gapfinder.render.columns import columns_of, one_below_another
from gapfinder.render.rows.table import first_rows, is_plan, more_rows, plan

TEXT, COUNTED, WHOLE = True, True, False


def write(frames: Iterable[pl.DataFrame], file: BinaryIO, *, width: int | None, color: bool) -> None:
    """The first 1,000 rows, each with all of its columns."""
    frame, more = first_rows(frames)
    columns = columns_of(frame, whole=True)
    file.write((one_below_another(columns, width=width, color=color) if not is_plan(frame) else plan(frame)).encode())
    file.write(more_rows(frame, more, width).encode())
