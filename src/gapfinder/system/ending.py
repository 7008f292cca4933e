"""Lets a process end while its threads work: nobody waits for them, no new one begins, and their queries are stopped."""

import atexit
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread, get_ident
from typing import Protocol

AGAIN_S = 0.05  # an interrupt is lost on a connection whose next query had not begun
LAST_INTERRUPTS_S = 1.0  # DuckDB does not look for an interrupt within a call of a function, which may take minutes


class Interruptible(Protocol):
    """An object that runs in another thread, such as a DuckDB connection with a query."""

    def interrupt(self) -> None:
        """Stop what runs."""


_working: dict[object, tuple[int, Interruptible | None]] = {}  # the blocks of `working` that run: the thread, what to interrupt
_ended_by: list[int] = []  # the thread that runs what is registered with atexit, once it does
_at_the_end: list[Callable[[], None]] = []
_leave: list[Callable[[BaseException], None]] = []
os.register_at_fork(after_in_child=_working.clear)  # the other threads are not in the child


def started(task: Callable[[], None]) -> Thread | None:
    """A thread that runs a task, and does not keep the process from ending. None where no thread begins any more: run it here."""
    if _ended_by or sys.is_finalizing():  # Python 3.11 waits for a thread that does not begin
        return None
    thread = Thread(target=task, daemon=True)
    try:
        thread.start()
    except RuntimeError as error:
        if "new thread" not in str(error):  # a signal handler raised it
            raise
        return None
    return thread


@contextmanager
def working(connection: Interruptible | None = None) -> Iterator[None]:
    """A block that runs DuckDB. When the process ends, the connection is interrupted, and the thread ends without a traceback.

    A thread that comes back from DuckDB after Python ended would abort the process.
    """
    _end_thread()
    mark = object()
    _working[mark] = get_ident(), connection
    try:
        yield
    except BaseException:
        _end_thread()
        raise
    finally:
        del _working[mark]


def at_the_end(task: Callable[[], None]) -> None:
    """Call `task` when the process ends, after the queries of all threads were stopped."""
    _at_the_end.append(task)


def leave_by(way: Callable[[BaseException], None]) -> None:
    """Set how the process ends with an error, where something that was interrupted runs on and must not.

    DuckDB does not look for an interrupt within a call of a function for one row, which may take minutes, and much memory.
    """
    _leave[:] = [way]


def leave(error: BaseException) -> None:
    """End the process with an error, if `leave_by` said how."""
    for way in _leave:
        way(error)


def _end_thread() -> None:
    """End this thread, where another one ends the process."""
    if _ended_by and get_ident() not in _ended_by:
        raise SystemExit


@atexit.register
def _end() -> None:
    """Stop the queries of other threads, which are daemons: Python waited for all others before."""
    _ended_by.append(get_ident())
    until_s = time.monotonic() + LAST_INTERRUPTS_S
    while (others := [other for thread, other in [*_working.values()] if thread not in _ended_by]) and time.monotonic() < until_s:
        for other in others:
            if other:
                other.interrupt()
        time.sleep(AGAIN_S)
    for task in _at_the_end:
        task()
