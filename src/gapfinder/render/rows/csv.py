"""Rows as CSV with a header."""

import polars as pl

from gapfinder.system.csv import as_csv

TEXT, COUNTED = True, False


def render(frame: pl.DataFrame, *, width: int | None, color: bool) -> bytes:  # noqa: ARG001  part of the protocol
    """The header and the rows, in UTF-8."""
    return as_csv(frame)
