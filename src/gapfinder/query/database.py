"""`Database`: relations in memory that SQL can query. An open trace and a fleet are both one."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from ctypes import py_object, pythonapi
from pathlib import Path
from threading import RLock, get_ident
from types import TracebackType
from typing import TYPE_CHECKING, Any, Never, Self
from weakref import WeakSet

import duckdb

from gapfinder.errors import UsageError
from gapfinder.system.ending import working
from gapfinder.system.interrupting import uninterrupted
from gapfinder.system.texts import check_text

if TYPE_CHECKING:
    import polars as pl


class Database:
    """Relations in memory. `path` is the file or folder that they come from.

    Use it in a `with` statement, or close it, to release the memory. With `unsafe`, `sql` runs any statement. `limit_bytes` is
    how large the process may become while it runs a statement of the user; None means without a limit.
    """

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, path: Path, *, unsafe: bool = False, limit_bytes: int | None = None
    ) -> None:
        self._connection = connection
        self.limit_bytes = limit_bytes
        self._unsafe = unsafe
        self.path = path
        self.closed = False
        self._forked = False
        self._working: dict[object, int] = {}  # the blocks of `_in_use` that run: the thread
        self._lock = RLock()  # held where such a block begins, and while it is closed
        _open.add(self)
        _was_used[:] = [True]

    def cursor(self, query: str) -> duckdb.DuckDBPyConnection:
        """A new connection to the same relations, on which the query can run. A subclass may first make its relations."""
        check_text(query)
        with self._in_use():
            return self._connection.cursor()

    def rows(self, query: str) -> list[dict[str, Any]]:
        """The rows of a query, each as a dict by column name."""
        with self._in_use():
            return rows_of(self.cursor(query), query)

    def sql(self, query: str) -> "pl.DataFrame":
        """The result of one statement, as a polars frame. `gapfinder views` prints the views and their columns.

        SELECT, FROM, VALUES, PIVOT, DESCRIBE, SHOW, SUMMARIZE and EXPLAIN are allowed. A statement that writes, changes a
        setting, or reads a file, the network or a variable of the program is not. Sums become 64-bit integers if they fit,
        decimals become floats, and the second of two columns called x becomes x_1. Raises UsageError, in one line, if the SQL is
        wrong or not allowed.
        """
        import polars as pl

        return pl.concat(self.sql_parts(query))

    def sql_parts(self, query: str) -> "Iterator[pl.DataFrame]":
        """The rows of `sql` in parts, at least one, so that the memory need not hold all of them at once. Raises as `sql`.

        Between two parts it may be closed; the next part then raises UsageError.
        """
        from gapfinder.query.run import run

        names = self.relation_names()
        parts = run(self.cursor(query), query, unsafe=self._unsafe, limit_bytes=self.limit_bytes, relations=names)
        while True:
            with self._in_use():
                part = next(parts, None)
            if part is None:
                return
            yield part

    def relation_names(self) -> Iterable[str]:
        """The relations that a query may name, where that is more than those which are there by now."""
        return ()

    def close(self) -> None:
        """Release what it holds. Raises UsageError while another thread works with it, and then stays open."""
        if self._forked:
            return
        with self._lock:
            if {*self._working.values()} - {get_ident()}:
                raise UsageError(f"{self.path} cannot be closed while another thread works with it: wait for that first")
            uninterrupted(self._release)

    def _release(self) -> None:
        """Release the memory. A subclass also releases what else it holds."""
        self.closed = True
        with suppress(duckdb.Error):  # of a query that somebody runs on a cursor: it goes on to its end
            self._connection.close()

    @contextmanager
    def _in_use(self) -> Iterator[None]:
        """A block in which no other thread can close it. Raises UsageError where nothing can be asked any more."""
        block = object()
        try:
            with self._lock:
                self._check_open()
                self._working[block] = get_ident()
            yield
        finally:
            self._working.pop(block, None)

    def _check_open(self) -> None:
        """Raise UsageError where nothing can be asked any more."""
        if self._forked:
            raise UsageError(f"{self.path} was opened before this process was forked: open it again in this process")
        if self.closed:
            raise UsageError(f"{self.path} was closed: ask inside of its `with` statement, or open it again")

    def __reduce__(self) -> Never:
        """Refuse to be copied or pickled."""
        raise UsageError(f"{self.path} is open and cannot be copied or pickled: pass on its path, and open it again there")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        with suppress(*([UsageError] if error else [])):  # what went wrong inside is what there is to say
            self.close()


_open: WeakSet[Database] = WeakSet()
_was_used: list[bool] = []


def _after_fork() -> None:
    """In the child, give up what the parent opened: the threads of DuckDB are not there, and to free it ends the process."""
    for database in _open:
        database._forked = database.closed = True  # noqa: SLF001
        database._lock = RLock()  # noqa: SLF001  a thread that is not there may hold the other one
        pythonapi.Py_IncRef(py_object(database._connection))  # noqa: SLF001
    if _was_used:
        pythonapi.Py_IncRef(py_object(duckdb.default_connection()))  # it parsed SQL


os.register_at_fork(after_in_child=_after_fork)


def rows_of(connection: duckdb.DuckDBPyConnection, query: str) -> list[dict[str, Any]]:
    """The rows of a query, each as a dict by column name."""
    with working(connection):
        result = connection.execute(query)
        names = [column[0] for column in result.description]
        return [dict(zip(names, row, strict=True)) for row in result.fetchall()]
