"""Ends queries of other threads where this one is to end."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import duckdb


@contextmanager
def interrupting(cursors: Iterable[duckdb.DuckDBPyConnection]) -> Iterator[None]:
    """End what these run where the block is left by an exception: queries of other threads do not hear of Ctrl-C."""
    try:
        yield
    except BaseException:
        for cursor in cursors:
            cursor.interrupt()
        raise
