"""Rows as JSON: an array of objects, on one line."""

import polars as pl

TEXT, COUNTED = True, False


def render(frame: pl.DataFrame, *, width: int | None, color: bool) -> bytes:  # noqa: ARG001  part of the protocol
    """The array in UTF-8. Bytes are hexadecimal strings."""
    return frame.with_columns(pl.col(pl.Binary).bin.encode("hex")).write_json().encode() + b"\n"
