"""A database in memory that answers SQL: an open trace, or the ledger of a fleet."""

from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import duckdb

if TYPE_CHECKING:
    import polars as pl


class Database:
    """Relations in memory. Use it in a `with` statement, or close it, to give the memory back. `path` is where they come from."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, path: Path, *, unsafe: bool = False) -> None:
        self._connection = connection
        self._unsafe = unsafe
        self.path = path

    def cursor(self, query: str) -> duckdb.DuckDBPyConnection:  # noqa: ARG002  a handle may make what the query mentions
        """A connection of its own to the same relations, on which the query can run."""
        return self._connection.cursor()

    def rows(self, query: str) -> list[dict[str, Any]]:
        """Rows of a `SELECT … FROM view`, by column name."""
        return rows_of(self.cursor(query), query)

    def sql(self, query: str) -> "pl.DataFrame":
        """The result of one statement, as a polars frame; views and columns are those that `gapfinder views` prints.

        Read-only: SELECT, FROM, VALUES, PIVOT, DESCRIBE, SHOW, SUMMARIZE and EXPLAIN run, and nothing that writes, sets, or
        reads a file, the network or a variable of the program. Sums come as 64-bit integers where they fit, decimals as
        floats, and of two columns called x the second as x_1. Raises UsageError, in one line, where the SQL is wrong or not
        allowed.
        """
        from gapfinder.query.run import run

        return run(self.cursor(query), query, unsafe=self._unsafe)

    def close(self) -> None:
        """Give the memory back."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trail: TracebackType | None) -> None:
        self.close()


def rows_of(connection: duckdb.DuckDBPyConnection, query: str) -> list[dict[str, Any]]:
    """Rows of a `SELECT … FROM view`, by column name."""
    found = connection.execute(query)
    names = [column[0] for column in found.description]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]
