"""A ledger to ask: its files in memory, and the views of `sql/fleet` on them."""

from pathlib import Path

import duckdb

from gapfinder.errors import TraceError
from gapfinder.ingest.ledger import check
from gapfinder.ingest.nsys.load import LOCKED, NO_VARIABLES
from gapfinder.pipeline import relations
from gapfinder.pipeline.catalogue import FLEET
from gapfinder.pipeline.causes import USUAL_SHARE
from gapfinder.pipeline.database import NAMES
from gapfinder.pipeline.relations import Relation, by_name, of_folder
from gapfinder.pipeline.runner import Runner
from gapfinder.query.database import Database


def fleet_relations() -> dict[str, Relation]:
    """The views of `sql/fleet`, and the one that lists them."""
    home = relations.folder()
    views = [found for found in of_folder(home / FLEET) if not found.name.startswith("kept.")]
    return by_name([*views, *(found for found in of_folder(home / NAMES) if found.name == "main.catalogue")])


class FleetLedger(Database):
    """The ledger of a fleet in memory. `path` is its folder."""


def open_ledger(folder: Path, *, comments: bool = False, unsafe: bool = False) -> FleetLedger:
    """The ledger in a folder. With `unsafe`, the user's SQL may do all that DuckDB can.

    Raises TraceError where it is that of another gapfinder, holds nothing as yet, or is damaged.
    """
    check(folder)
    if not any(folder.glob("job=*/rank=*/*.parquet")):
        raise TraceError(f"{folder} holds no trace as yet: let gapfinder fleet run")
    connection = duckdb.connect()
    try:
        connection.execute("SET VARIABLE files = $1", [f"{folder}/job=*/rank=*/*.parquet"])
        connection.execute("SET VARIABLE usual_share = $1", [USUAL_SHARE])
        connection.execute((relations.folder() / FLEET / "kept.sql").read_text())
        Runner(connection, fleet_relations(), schema="main", comments=comments).make_all()
    except duckdb.Error as error:
        connection.close()
        why = str(error).splitlines()[0]
        raise TraceError(f"{folder} is damaged ({why}): remove the file, and run gapfinder fleet again") from error
    for setting in (NO_VARIABLES,) if unsafe else LOCKED:
        connection.execute(f"SET GLOBAL {setting}")
    return FleetLedger(connection, folder, unsafe=unsafe)
