"""The documentation of the views of a fleet, from the comments in `sql/fleet`."""

from functools import cache

from gapfinder.fleet.folder import FleetFolder
from gapfinder.fleet.open import fleet_relations, open_fleet
from gapfinder.fleet.row import as_parquet
from gapfinder.pipeline.catalogue import RelationDoc, described
from gapfinder.system.scratch import scratch


@cache
def catalogue() -> dict[str, RelationDoc]:
    """The documentation of each view, by name, in the order of the files."""
    with scratch() as folder:
        FleetFolder(folder)
        file = folder / "job=none" / "rank=0" / "none.parquet"
        file.parent.mkdir(parents=True)
        file.write_bytes(as_parquet({"trace": "none", "identity": "none", "error": "none"}))
        with open_fleet(folder, comments=True) as fleet:
            views = [view for view in fleet_relations().values() if view.name != "main.catalogue"]
            return described(fleet.cursor("main.catalogue"), views)
