"""Lets Ctrl-C end what runs in other threads, stops those after an error in this one, and lets a cleanup end first."""

import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager
from threading import Lock, Thread
from typing import Any, Protocol, TypeVar

# Waiting without a limit ignores Ctrl-C: the handler that polars puts before Python's lets the system go on with the wait.
WAIT_S = 1.0
AGAIN_S = 0.05  # an interrupt is lost on a connection whose next query had not begun
Result = TypeVar("Result")
_leave: list[Callable[[BaseException], None]] = []


class Interruptible(Protocol):
    """An object that runs in another thread, such as a DuckDB connection with a query."""

    def interrupt(self) -> None:
        """Stop what runs."""


def leave_by(leave: Callable[[BaseException], None]) -> None:
    """Call `leave` with an error that ends the process, where something that was interrupted runs on and must not.

    DuckDB does not look for an interrupt within a call of a function for one row, which may take minutes, and much memory.
    """
    _leave[:] = [leave]


@contextmanager
def interrupting(pool: Executor, others: Iterable[Interruptible], must_end: Callable[[], bool] = lambda: False) -> Iterator[None]:
    """After an exception in the block, start no more tasks of the pool, and interrupt `others` until all that run have ended.

    If Ctrl-C comes again meanwhile, or `must_end` says so, the process ends, where `leave_by` said how.
    """
    try:
        yield
    except BaseException as error:
        if sys.is_finalizing():  # no thread begins any more: a generator that was not exhausted ends here
            for other in others:
                other.interrupt()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        ending = Thread(target=pool.shutdown, kwargs={"cancel_futures": True})
        ending.start()
        while ending.is_alive():
            for other in others:
                other.interrupt()
            why = None
            try:
                ending.join(AGAIN_S)
            except KeyboardInterrupt as again:
                why = again
            if why or must_end():
                for leave in _leave:
                    leave(why or error)
        raise


def result_of(future: Future[Result], meanwhile: Callable[[], None] = lambda: None, every_s: float = WAIT_S) -> Result:
    """The result of a task, as soon as it has ended. Ctrl-C ends the wait, and so does what `meanwhile` raises."""
    while not wait([future], every_s).done:
        meanwhile()
    return future.result()


def first_done(futures: Collection[Future[Any]]) -> set[Future[Any]]:
    """Those tasks that have ended, once one has. Ctrl-C ends the wait."""
    while not (done := wait(futures, WAIT_S, FIRST_COMPLETED).done):
        pass
    return done


def uninterrupted(task: Callable[[], Result]) -> Result:
    """The result of a short task that Ctrl-C does not break off: it takes effect afterwards. The task runs in another thread."""
    future: Future[Result] = Future()
    once = Lock()

    def run() -> None:
        with once:
            if future.done():
                return
            try:
                future.set_result(task())
            except BaseException as error:  # noqa: BLE001  it is raised to whoever asks for the result
                future.set_exception(error)

    late: KeyboardInterrupt | None = None
    if sys.is_finalizing():  # no thread begins any more, and Python 3.11 waits for one that does not; nor does Ctrl-C come
        run()
    while not future.done():
        try:
            thread = Thread(target=run)
            thread.start()
            thread.join()
        except KeyboardInterrupt as error:  # perhaps before the thread began: then another one runs the task
            late = error
    if late:
        raise late
    return future.result()


@contextmanager
def interruptible() -> Iterator[None]:
    """Make Ctrl-C a KeyboardInterrupt: in the main thread DuckDB raises another error, and cleanup may raise one after it."""
    try:
        yield
    except Exception as error:
        if str(error) != "Query interrupted" and not isinstance(error.__context__, KeyboardInterrupt):
            raise
        raise KeyboardInterrupt from error
