"""The database of a job: the rows of its ranks, the matched collectives, and the relations of `sql/job`."""

from collections.abc import Iterable, Sequence
from typing import Any, Self

import duckdb

from gapfinder.job.match import Alignment
from gapfinder.job.rank import Rank
from gapfinder.pipeline import relations
from gapfinder.pipeline.relations import by_name, of_folder
from gapfinder.pipeline.runner import Runner
from gapfinder.query.database import rows_of
from gapfinder.system.arrow import Stream, Streamed

LAYER = "job"
VIEWS = {"stretches": "rank_stretches", "losses": "rank_losses", "breaks": "rank_breaks"}  # by the table that takes them
TABLES = "tables.sql"  # the tables that Python fills; all relations of sql/job are made from them


class JobDatabase:
    """A database in memory. First `take` loads the rows of each rank, then `join` makes all relations."""

    def __init__(self) -> None:
        self.connection = duckdb.connect()
        self.connection.execute((relations.folder() / LAYER / TABLES).read_text(encoding="utf-8"))

    def take(self, rows: Streamed, table: str, numbers: dict[int, int]) -> None:
        """Load rows of a trace's view, or of a copy of it, into a table.

        `numbers` has the rank of each GPU: the column `gpu` becomes the column `rank`.
        """
        arrived = self.connection.from_arrow(Stream(rows))  # noqa: F841  the query below reads it by this name
        pairs = ", ".join(f"({gpu}, {number})" for gpu, number in numbers.items())
        if pairs:
            query = (
                f"SELECT rank, arrived.* EXCLUDE (gpu) FROM arrived INNER JOIN (VALUES {pairs}) AS named (gpu, rank) USING (gpu)"
            )
            self.connection.execute(f"INSERT INTO ranks.{table} BY NAME {query}")

    def join(self, ranks: Sequence[Rank], alignment: Alignment) -> None:
        """Load the matched collectives and the steps of the first rank, and make all relations of `sql/job`."""
        self._insert(
            "members",
            (
                (
                    member.match_id, member.team, member.rank, member.collective.activity_id, member.collective.kind,
                    member.collective.in_window,
                    member.collective.start_ns, member.collective.end_ns, member.ref_start_ns, member.ref_end_ns,
                )
                for member in alignment.members
            ),
        )  # fmt: skip
        self._insert("steps", ((step, *bounds) for step, bounds in zip(ranks[0].step_numbers, ranks[0].steps, strict=True)))
        self._insert("precision", [(alignment.noise_ns,)])
        made = by_name(relation for relation in of_folder(relations.folder() / LAYER) if not relation.name.startswith("ranks."))
        Runner(self.connection, made, schema="main").make_all()

    def rows(self, query: str) -> list[dict[str, Any]]:
        """The rows of a query, by column name."""
        return rows_of(self.connection, query)

    def _insert(self, table: str, rows: Iterable[tuple[object, ...]]) -> None:
        columns = [list(column) for column in zip(*rows, strict=True)]  # by column: row by row takes a thousand times as long
        if columns:
            self.connection.execute(f"INSERT INTO ranks.{table} SELECT {', '.join(['unnest(?)'] * len(columns))}", columns)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()
