"""Lets Ctrl-C, and what other signal handlers raise, end waits and queries, but no cleanup."""

import signal
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from threading import Lock, current_thread, main_thread
from types import FrameType
from typing import Any, TypeVar

from gapfinder.system.ending import started

# Waiting without a limit ignores Ctrl-C: the handler that polars puts before Python's lets the system go on with the wait.
WAIT_S = 1.0
LOST = "Query interrupted"  # the message of DuckDB's error in the main thread, in place of what a signal handler raised
SIGNALS: tuple[int, ...] = tuple(signal.valid_signals())
Result = TypeVar("Result")
_Handler = Callable[[int, FrameType | None], Any]
_raised: list[BaseException] = []  # by signal handlers, in the blocks of `interruptible`


class Terminated(KeyboardInterrupt):
    """A signal that ends the program, as SIGTERM does. Unlike Ctrl-C, it ends what goes on after an interrupted query."""


def terminate(_number: int, _frame: FrameType | None) -> None:
    """The handler of signals that end the program. Raises Terminated."""
    raise Terminated


def result_of(future: Future[Result], meanwhile: Callable[[], None] = lambda: None, every_s: float = WAIT_S) -> Result:
    """The result of a task, as soon as it has ended. Ctrl-C ends the wait, and so does what `meanwhile` raises."""
    while not wait([future], every_s).done:
        meanwhile()
    return future.result()


def first_done(
    futures: Collection[Future[Any]], meanwhile: Callable[[], None] = lambda: None, every_s: float = WAIT_S
) -> set[Future[Any]]:
    """Those tasks that have ended, once one has. Ctrl-C ends the wait, and so does what `meanwhile` raises."""
    while not (done := wait(futures, every_s, FIRST_COMPLETED).done):
        meanwhile()
    return done


def uninterrupted(task: Callable[[], Result]) -> Result:
    """The result of a short task that runs to its end: what a signal handler raises meanwhile is raised afterwards.

    The task runs in another thread, or in this one where none begins.
    """
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

    late: BaseException | None = None
    while not future.done():
        try:
            if thread := started(run):
                thread.join()
            else:
                run()
        except BaseException as error:  # noqa: BLE001  perhaps before the thread began: then another one runs the task
            late = error
    if late:
        raise late
    return future.result()


@contextmanager
def interruptible() -> Iterator[None]:
    """Let what a signal handler raises come out of the block as it is, such as the KeyboardInterrupt of Ctrl-C.

    Else it may get lost: DuckDB raises its own error in its place, SQLite takes it for an answer, a cleanup raises another one,
    and `except OSError` catches a TimeoutError of the handler.
    """
    noting: list[tuple[int, _Handler, _NotingHandler]] = []
    in_main = current_thread() is main_thread()  # no other thread runs handlers, or may set them
    try:
        if in_main:
            for number in SIGNALS:
                if callable(handler := signal.getsignal(number)) and not isinstance(handler, _NotingHandler):
                    noting.append((number, handler, noter := _NotingHandler(handler)))
                    signal.signal(number, noter)
        yield
    except Exception as error:
        ctrl_c = next((found for found in _replaced_by(error) if isinstance(found, KeyboardInterrupt)), None)
        if own := _raised[-1] if in_main and _raised else ctrl_c:
            raise own  # noqa: B904  it keeps the cause that it has
        if str(error) == LOST:
            raise KeyboardInterrupt from error
        raise
    finally:
        for number, handler, noter in noting:
            if signal.getsignal(number) is noter:
                signal.signal(number, handler)
        if noting:
            _raised.clear()


class _NotingHandler:
    """A signal handler that notes what another one raises."""

    def __init__(self, handler: _Handler) -> None:
        self._handler = handler

    def __call__(self, number: int, frame: FrameType | None) -> None:
        try:
            self._handler(number, frame)
        except BaseException as error:
            _raised.append(error)
            raise


def _replaced_by(error: BaseException) -> Iterator[BaseException]:
    """The errors that were being handled when this one was raised."""
    while found := error.__context__:
        yield found
        error = found
