"""Opens the folder of a fleet for queries: loads its files into memory, and makes the views of `sql/fleet`."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any

import duckdb

from gapfinder.errors import TraceError, first_line
from gapfinder.fleet.files import aligned_in, files_in, read_sound
from gapfinder.ingest.manifest import check_manifest
from gapfinder.ingest.nsys.load import does_not_fit
from gapfinder.pipeline import relations
from gapfinder.pipeline.catalogue import FLEET
from gapfinder.pipeline.cause_spec import USUAL_SHARE
from gapfinder.pipeline.database import NAMES
from gapfinder.pipeline.relations import Relation, by_name, of_folder
from gapfinder.pipeline.runner import Runner
from gapfinder.query.database import Database
from gapfinder.system.locking import lock
from gapfinder.system.memory import MemoryBudget
from gapfinder.system.room import lacks_room

COMPARED_RANKS = 4  # from so many ranks on it is asked which one differs from the others


def fleet_relations() -> dict[str, Relation]:
    """The views of `sql/fleet`, and `catalogue`, which lists them."""
    sql = relations.folder()
    views = [view for view in of_folder(sql / FLEET) if not view.name.startswith("kept.")]
    return by_name([*views, *(view for view in of_folder(sql / NAMES) if view.name == "main.catalogue")])


INSERT_ALIGNED = """
    INSERT INTO kept.aligned BY NAME
    SELECT * EXCLUDE (identity)
    FROM read_parquet(getvariable('aligned'), hive_partitioning = true, hive_types_autocast = false)
    WHERE trace IS NOT NULL
"""


class OpenFleet(Database):
    """A fleet in memory. `path` is its folder, `damaged` are the files of it that cannot be read."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, path: Path, budget: MemoryBudget, damaged: Sequence[Path], *, unsafe: bool
    ) -> None:
        super().__init__(connection, path, unsafe=unsafe, limit_bytes=budget.limit_bytes)
        self._budget = budget
        self.damaged = damaged

    def rows(self, query: str) -> list[dict[str, Any]]:
        """As `Database.rows`. Raises TraceError where the numbers in it are too large together."""
        try:
            return super().rows(query)
        except (duckdb.ConversionException, duckdb.OutOfRangeException) as error:
            raise TraceError(f"{self.path} is damaged ({first_line(error)}): remove it, and run gapfinder fleet again") from error

    def _release(self) -> None:
        """Release the memory and the temporary files."""
        super()._release()
        self._budget.close()


def open_fleet(folder: Path, *, comments: bool = False, unsafe: bool = False, memory_bytes: int | None = None) -> OpenFleet:
    """Open the fleet in a folder. With `comments`, the views have documentation; with `unsafe`, SQL may do all that DuckDB can.

    `memory_bytes` is the memory limit; None means half of the free memory. Raises TraceError if another version of gapfinder made
    the folder, or if nothing in it can be read or it does not fit.
    """
    check_manifest(folder)
    files = files_in(folder)
    if not files:
        raise TraceError(f"{folder} has no traces yet: run gapfinder fleet first")
    with ExitStack() as undone:
        budget = undone.enter_context(closing(MemoryBudget(memory_bytes)))
        read = partial(_filled, settings=budget.settings, aligned=aligned_in(folder), comments=comments)
        try:
            connection, damaged = read_sound(files, read)
        except duckdb.Error as error:
            if lacks_room(error):
                raise does_not_fit(folder, error) from error
            why = first_line(error)
            raise TraceError(f"{folder} is damaged, and no trace in it can be read ({why}): run gapfinder fleet again") from error
        lock(connection, unsafe=unsafe)
        undone.pop_all()
        return OpenFleet(connection, folder, budget, damaged, unsafe=unsafe)


def _filled(files: list[str], *, settings: Mapping[str, Any], aligned: list[str], comments: bool) -> duckdb.DuckDBPyConnection:
    """A database with the rows of these files, and the views. Raises duckdb.Error."""
    connection = duckdb.connect(config=dict(settings))
    try:
        connection.execute("SET VARIABLE files = $1", [files])
        connection.execute("SET VARIABLE usual_share = $1", [USUAL_SHARE])
        connection.execute("SET VARIABLE compared_ranks = $1", [COMPARED_RANKS])
        connection.execute((relations.folder() / FLEET / "kept.sql").read_text(encoding="utf-8"))
        if aligned:
            connection.execute("SET VARIABLE aligned = $1", [aligned])
            connection.execute(INSERT_ALIGNED)
        Runner(connection, fleet_relations(), schema="main", comments=comments).make_all()
    except duckdb.Error:
        connection.close()
        raise
    return connection
