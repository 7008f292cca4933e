"""Rows as CSV with a header. Lists and structs are JSON, and NULL is empty."""

import polars as pl

from gapfinder.units import as_text

TEXT = True


def render(frame: pl.DataFrame, *, width: int | None, color: bool) -> bytes:  # noqa: ARG001  part of the protocol
    """The header and the rows, in UTF-8."""
    nested = [column for column in frame.iter_columns() if column.dtype.is_nested() or column.dtype == pl.Binary]
    as_texts = (
        pl.Series(column.name, [None if value is None else as_text(value) for value in column.to_list()], pl.String)
        for column in nested
    )
    return frame.with_columns(as_texts).write_csv().encode()
