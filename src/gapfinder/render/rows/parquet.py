"""Rows as Parquet, with the types of the columns."""

from collections.abc import Iterable, Iterator
from typing import BinaryIO

import polars as pl
from polars.io.plugins import register_io_source

TEXT, COUNTED, WHOLE = False, False, True


def write(frames: Iterable[pl.DataFrame], file: BinaryIO, *, width: int | None, color: bool) -> None:  # noqa: ARG001  of the protocol
    """The content of a Parquet file."""
    parts = iter(frames)
    first = next(parts)
    failed: list[BaseException] = []

    def read(*_: object) -> Iterator[pl.DataFrame]:
        try:
            yield first
            yield from parts
        except BaseException as error:
            failed.append(error)
            raise

    try:
        register_io_source(read, schema=first.schema).sink_parquet(file)
    except pl.exceptions.PolarsError:
        if failed:
            raise failed[0] from None
        raise
