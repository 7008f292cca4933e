"""Rows with one value below the other, for results with many columns or long texts. No value is cut."""

from collections.abc import Iterable
from typing import BinaryIO

import polars as pl

from gapfinder.render.columns import columns_of, one_below_another
from gapfinder.render.rows.table import write_first

TEXT, COUNTED, WHOLE = True, True, False


def write(frames: Iterable[pl.DataFrame], file: BinaryIO, *, width: int | None, color: bool) -> None:
    """The first 1,000 rows, each with all of its columns."""
    write_first(frames, file, width, lambda frame: one_below_another(columns_of(frame, whole=True), width=width, color=color))
