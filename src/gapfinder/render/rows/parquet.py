"""Rows as Parquet, with the types of the columns."""

from collections.abc import Iterable, Iterator
from io import RawIOBase
from typing import IO, Any, BinaryIO, cast

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
        register_io_source(read, schema=first.schema).sink_parquet(cast("IO[bytes]", _NotingFile(file, failed)))
    except pl.exceptions.PolarsError:
        if failed:
            raise failed[0] from None
        raise


class _NotingFile(RawIOBase):
    """A file that notes why it cannot be written, as on a full disk: polars raises an error of its own in place of that."""

    def __init__(self, file: BinaryIO, failed: list[BaseException]) -> None:
        self._file = file
        self._failed = failed

    def writable(self) -> bool:
        return True

    def write(self, content: Any) -> int:
        try:
            return self._file.write(content)
        except OSError as error:
            self._failed.append(error)
            raise
