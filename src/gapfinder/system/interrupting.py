"""Stops queries in other threads after an error or Ctrl-C in this one."""

from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Protocol


class Interruptible(Protocol):
    """An object that runs in another thread, such as a DuckDB connection with a query."""

    def interrupt(self) -> None:
        """Stop what runs."""


@contextmanager
def interrupting(pool: Executor, others: Iterable[Interruptible]) -> Iterator[None]:
    """After an exception in the block, start no more tasks of the pool and interrupt `others`, which Ctrl-C does not reach."""
    try:
        yield
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for other in others:
            other.interrupt()
        raise


@contextmanager
def interruptible() -> Iterator[None]:
    """Make Ctrl-C a KeyboardInterrupt: in the main thread DuckDB raises another error, and cleanup may raise one after it."""
    try:
        yield
    except Exception as error:
        if str(error) != "Query interrupted" and not isinstance(error.__context__, KeyboardInterrupt):
            raise
        raise KeyboardInterrupt from error
