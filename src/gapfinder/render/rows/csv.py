"""Rows as CSV with a header."""

from collections.abc import Iterable
from typing import BinaryIO

import polars as pl

from gapfinder.system.csv import as_csv

TEXT, COUNTED, WHOLE = True, False, True


def write(frames: Iterable[pl.DataFrame], file: BinaryIO, *, width: int | None, color: bool) -> None:  # noqa: ARG001  of the protocol
    """The header and the rows, in UTF-8."""
    file.writelines(as_csv(frame, header=not number) for number, frame in enumerate(frames))
