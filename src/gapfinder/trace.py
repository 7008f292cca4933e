"""An open trace: the connection to its relations, and the ways to read rows from it. It knows nothing of what is made of them."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from gapfinder.options import Options
from gapfinder.pipeline.config import Config
from gapfinder.pipeline.relations import SCHEMA
from gapfinder.pipeline.runner import Runner
from gapfinder.query.database import Database, rows_of
from gapfinder.system.arrow import Stream
from gapfinder.system.memory import Room

if TYPE_CHECKING:
    import polars as pl

IDS = f"SET search_path = '{SCHEMA}'"
NAMES = f"SET search_path = 'main,{SCHEMA}'"  # a view with names comes before the one with ids


class OpenTrace(Database):
    """One trace in memory, and its relations, each of which is made when it is first asked for.

    `path` is where it was read from, `options` what was chosen, `tables` names the tables that the export has, and
    `config` holds the causes, and `runner` makes the relations; None of a conversion, which has them all. Several threads may ask.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        path: Path,
        options: Options,
        config: Config,
        tables: set[str],
        room: Room,
        runner: Runner | None,
        *,
        unsafe: bool = False,
    ) -> None:
        super().__init__(connection, path, unsafe=unsafe)
        self._room = room
        self.runner = runner
        self.options = options
        self.config = config
        self.tables = tables

    def cursor(self, query: str, *, named: bool = True) -> duckdb.DuckDBPyConnection:
        """A connection of its own to the trace, on which everything is made that the query mentions.

        A name means the relation with names where there is one, unless they need not be `named`.
        """
        if self.runner:
            self.runner.make_for(query, with_names=named)
        return self._connection.cursor().execute(NAMES if named else IDS)

    def facts(self, query: str) -> list[dict[str, Any]]:
        """As `rows`, of the relations with ids alone."""
        return rows_of(self.cursor(query, named=False), query)

    def tuples(self, query: str) -> list[tuple[Any, ...]]:
        """As `facts`, each row a tuple: a quarter of the time where there are many."""
        return self.cursor(query, named=False).execute(query).fetchall()

    def frame(self, query: str) -> "pl.DataFrame":
        """The result of a `SELECT … FROM view` as a polars frame, with the view's columns."""
        import polars as pl

        return pl.DataFrame(Stream(self.cursor(query).sql(query)))

    def close(self) -> None:
        """Give the memory and the temporary files back."""
        super().close()
        self._room.close()
