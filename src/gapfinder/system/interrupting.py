"""Ends queries where this thread is to end."""

from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Protocol


class Interruptible(Protocol):
    """What runs in other threads, as the queries of a DuckDB connection do."""

    def interrupt(self) -> None:
        """End it."""


@contextmanager
def interrupting(pool: Executor, others: Iterable[Interruptible]) -> Iterator[None]:
    """Where an exception leaves the block, begin nothing more in the pool, and end what others run: they hear of no Ctrl-C."""
    try:
        yield
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for other in others:
            other.interrupt()
        raise


@contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C stays a KeyboardInterrupt: DuckDB makes another error of it in the main thread, and so may what has to be closed."""
    try:
        yield
    except Exception as error:
        if str(error) != "Query interrupted" and not isinstance(error.__context__, KeyboardInterrupt):
            raise
        raise KeyboardInterrupt from error
