"""What there is to query in a fleet's ledger: the views of `sql/fleet`, as their comments document them."""

import tempfile
from functools import cache
from pathlib import Path

from gapfinder import catalogue as of_traces
from gapfinder import layers
from gapfinder.catalogue import FLEET, Relation
from gapfinder.fleet.ledger import Ledger
from gapfinder.fleet.open import open_ledger
from gapfinder.fleet.row import as_parquet


@cache
def catalogue() -> dict[str, Relation]:
    """Every view by its name, in the order of their files."""
    names = [name for file in sorted((layers.folder() / FLEET).glob("*.sql")) for name in layers.created(file)]
    with tempfile.TemporaryDirectory(prefix="gapfinder-") as folder:
        Ledger(Path(folder))
        file = Path(folder) / "job=none" / "rank=0" / "none.parquet"
        file.parent.mkdir(parents=True)
        file.write_bytes(as_parquet({}))
        with open_ledger(Path(folder), comments=True) as ledger:
            return of_traces.described(ledger.cursor(), {name: [(FLEET, "main")] for name in names})
