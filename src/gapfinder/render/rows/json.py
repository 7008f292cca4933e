"""Rows as JSON: an array of objects, on one line."""

from collections.abc import Iterable
from typing import BinaryIO

import polars as pl

from gapfinder.units import escaped_json

TEXT, COUNTED, WHOLE = True, False, True


def write(frames: Iterable[pl.DataFrame], file: BinaryIO, *, width: int | None, color: bool) -> None:  # noqa: ARG001  of the protocol
    """The array in UTF-8. Bytes are hexadecimal strings."""
    before = b"["
    for frame in frames:
        objects = as_array(frame).encode()[1:-1]
        file.write(before + objects if objects else b"")
        before = b"," if objects else before
    file.write((b"[" if before == b"[" else b"") + b"]\n")


def as_array(frame: pl.DataFrame) -> str:
    """The rows as a JSON array of objects."""
    return escaped_json(frame.with_columns(pl.col(pl.Binary).bin.encode("hex")).write_json())
