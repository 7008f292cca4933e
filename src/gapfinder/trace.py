"""An open trace: it makes relations on demand and reads rows from them. It imports nothing that uses it."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import numpy.typing as npt

from gapfinder.ingest.nsys.load import unreadable
from gapfinder.options import Options
from gapfinder.pipeline.config import Config
from gapfinder.pipeline.interval_macros import compute
from gapfinder.pipeline.relations import SCHEMA
from gapfinder.pipeline.runner import Runner
from gapfinder.query.database import Database, rows_of
from gapfinder.system.arrow import Stream
from gapfinder.system.ending import working
from gapfinder.system.interrupting import interruptible
from gapfinder.system.memory import MemoryBudget
from gapfinder.system.room import lacks_room
from gapfinder.system.texts import check_text
from gapfinder.system.timings import timed

if TYPE_CHECKING:
    import polars as pl

IDS = f"SET search_path = '{SCHEMA}'"
NAMES = f"SET search_path = 'main,{SCHEMA}'"  # a view with names hides the relation with ids


class OpenTrace(Database):
    """One trace in memory. Each relation is made when a query first reads it.

    `path` is the file or folder, `options` are the user's choices, `config` holds the causes, and `tables` has the names of the
    tables in the export. `runner` makes the relations. With `foreign`, their rows stand in a conversion, which may turn out
    to be damaged whenever it is read: then a query raises TraceError. Several threads may query at the same time.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        path: Path,
        options: Options,
        config: Config,
        tables: set[str],
        budget: MemoryBudget,
        runner: Runner,
        *,
        unsafe: bool = False,
        foreign: bool = False,
    ) -> None:
        super().__init__(connection, path, unsafe=unsafe, limit_bytes=budget.limit_bytes)
        self._budget = budget
        self._foreign = foreign
        self.runner = runner
        self.options = options
        self.config = config
        self.tables = tables

    def cursor(self, query: str, *, named: bool = True) -> duckdb.DuckDBPyConnection:
        """A new connection to the trace, after every relation that the query reads was made.

        With `named`, a relation's name means its view with kernel and thread names in place of ids, where there is one.
        """
        check_text(query)
        with self._checked():
            self.runner.make_for(query, main_first=named)
            cursor = self._connection.cursor().execute(NAMES if named else IDS)
            compute(cursor, query)
            return cursor

    def relation_names(self) -> Iterable[str]:
        """The relations of the trace, whether or not they were made."""
        return [name.removeprefix("main.") for name in self.runner.relations]

    def prepare(self, *wanted: str) -> None:
        """Make relations, and all those of layers, at once: that takes less time than one question after the other."""
        relations = self.runner.relations
        with self._checked():
            self.runner.make(name for name in relations if name in wanted or relations[name].folder in wanted)

    def rows(self, query: str) -> list[dict[str, Any]]:
        """The rows of a query, each as a dict by column name."""
        with self._checked():
            return super().rows(query)

    def id_rows(self, query: str) -> list[dict[str, Any]]:
        """The rows of a query, each as a dict by column name, with ids in place of names."""
        with self._ids(query) as cursor:
            return rows_of(cursor, query)

    def tuples(self, query: str) -> list[tuple[Any, ...]]:
        """The rows of a query as tuples, with ids in place of names: for many rows in a quarter of the time of `id_rows`."""
        with self._ids(query) as cursor:
            return cursor.execute(query).fetchall()

    def arrays(self, query: str) -> dict[str, npt.NDArray[Any]]:
        """The columns of a query as arrays, with ids in place of names. A column that may have NULL is a masked array."""
        with self._ids(query) as cursor:
            return dict(cursor.execute(query).fetchnumpy())

    def frame(self, query: str) -> "pl.DataFrame":
        """The result of a query as a polars frame, with names in place of ids."""
        import polars as pl

        with self._checked():
            cursor = self.cursor(query)
            with working(cursor):
                return pl.DataFrame(Stream(cursor.sql(query)))

    @contextmanager
    def _ids(self, query: str) -> Iterator[duckdb.DuckDBPyConnection]:
        """A new connection for a query of gapfinder's own, as `cursor` gives it, with ids in place of names."""
        with self._checked():
            self.runner.make_for_own(query)
            with timed("queries", _table_of(query)):
                cursor = self._connection.cursor().execute(IDS)
                with working(cursor):
                    compute(cursor, query)
                    yield cursor

    @contextmanager
    def _checked(self) -> Iterator[None]:
        """Raises TraceError where the trace does not fit, or a conversion is damaged, and UsageError where it was closed."""
        try:
            with self._in_use(), working(), interruptible():
                yield
        except duckdb.InterruptException:
            raise
        except duckdb.Error as error:
            if not (self._foreign or lacks_room(error)):
                raise
            raise unreadable(self.path, error) from error

    def _release(self) -> None:
        """Release the memory and the temporary files."""
        super()._release()
        self._budget.close()


def _table_of(query: str) -> str:
    """The first relation that a query names."""
    return query.partition("FROM ")[2].partition(" ")[0]
