"""Rows as Parquet, with the types of the columns."""

from io import BytesIO

import polars as pl

TEXT = COUNTED = False


def render(frame: pl.DataFrame, *, width: int | None, color: bool) -> bytes:  # noqa: ARG001  part of the protocol
    """The content of a Parquet file."""
    file = BytesIO()
    frame.write_parquet(file)
    return file.getvalue()
