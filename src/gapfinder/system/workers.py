"""Threads that run tasks for a block, and end with it."""

import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import Any, ParamSpec, TypeVar

import duckdb

from gapfinder.system.ending import AGAIN_S, Interruptible, leave, started

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


class Workers(Executor):
    """Threads that run tasks in their order. Python waits at its end for those of a ThreadPoolExecutor, and not for these.

    Where no thread begins any more, as in what is registered with atexit, a task runs when it is submitted.
    """

    def __init__(self, threads: int) -> None:
        self._tasks: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        self._threads = [thread for _ in range(threads) if (thread := started(self._work))]

    def submit(
        self, task: Callable[Parameters, Result], /, *arguments: Parameters.args, **named: Parameters.kwargs
    ) -> Future[Result]:
        """The future result of a task."""
        future: Future[Result] = Future()
        if self._threads:
            self._tasks.put((future, lambda: task(*arguments, **named)))
        else:
            _run(future, lambda: task(*arguments, **named))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002  Executor's signature
        """Start no more tasks than were submitted, or with `cancel_futures` none. With `wait`, return when all have ended."""
        with suppress(Empty):
            while cancel_futures:
                if waiting := self._tasks.get_nowait():
                    waiting[0].cancel()
        for _ in self._threads:
            self._tasks.put(None)
        for thread in self._threads if wait else ():
            thread.join()

    def have_ended(self, within_s: float) -> bool:
        """Whether all threads end within some seconds."""
        for thread in self._threads:
            thread.join(within_s)
            if thread.is_alive():
                return False
        return True

    def _work(self) -> None:
        while task := self._tasks.get():
            _run(*task)
            del task  # it holds the result


def _interrupt(others: Iterable[Interruptible]) -> None:
    for other in others:
        with suppress(duckdb.ConnectionException):  # what is closed already runs nothing
            other.interrupt()


def _run(future: Future[Result], task: Callable[[], Result]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(task())
    except BaseException as error:  # noqa: BLE001  it is raised to whoever asks for the result
        future.set_exception(error)
        del future, task  # the traceback of the error holds this frame, and DuckDB lists at exit what is still held


@contextmanager
def workers(
    threads: int, others: Iterable[Interruptible] = (), must_end: Callable[[], bool] = lambda: False
) -> Iterator[Workers]:
    """Threads for tasks of the block. After an exception no more tasks start, and `others` are interrupted until all have ended.

    If Ctrl-C comes again meanwhile, or `must_end` says so, the process ends, as `leave_by` said.
    """
    pool = Workers(threads)
    try:
        yield pool
        pool.shutdown()
    except BaseException as error:
        pool.shutdown(wait=False, cancel_futures=True)
        if sys.is_finalizing():  # a generator that was not exhausted ends here
            _interrupt(others)
            raise
        late: BaseException | None = None
        ended = False
        while not ended:
            again = None
            try:
                _interrupt(others)
                ended = pool.have_ended(AGAIN_S)
            except BaseException as raised:  # noqa: BLE001  by a signal handler
                again = late = raised
            if not ended and (again or must_end()):
                leave(again or error)
        if late:
            raise late  # noqa: B904  its context is the error
        raise
