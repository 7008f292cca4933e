"""JSON: an array of objects, in one line."""

import polars as pl

TEXT = True


def render(frame: pl.DataFrame, *, width: int | None, color: bool) -> bytes:  # noqa: ARG001  the renderers' signature
    """The rows; bytes in hexadecimal."""
    return frame.with_columns(pl.col(pl.Binary).bin.encode("hex")).write_json().encode() + b"\n"
