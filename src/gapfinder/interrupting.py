"""Ends queries of other threads where this one is to end."""

from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

import duckdb


@contextmanager
def interrupting(pool: Executor, cursors: Iterable[duckdb.DuckDBPyConnection]) -> Iterator[None]:
    """Where the block is left by an exception, begin nothing more in the pool, and end what these run: they hear of no Ctrl-C."""
    try:
        yield
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for cursor in cursors:
            cursor.interrupt()
        raise
