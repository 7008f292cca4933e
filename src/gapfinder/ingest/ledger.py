"""The file by which a folder is known to be a fleet's ledger."""

import json
from pathlib import Path

from gapfinder.errors import TraceError

MANIFEST = "gapfinder-fleet.json"
SCHEMA = "gapfinder.fleet/1"


def is_ledger(path: Path) -> bool:
    """Whether it is a folder that `gapfinder fleet` made."""
    return (path / MANIFEST).is_file()


def check(folder: Path) -> None:
    """Raise TraceError where another gapfinder made the ledger, in a shape that this one does not read."""
    try:
        schema = json.loads((folder / MANIFEST).read_text())["schema"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TraceError(f"{folder / MANIFEST} is damaged: make the ledger again with gapfinder fleet") from error
    if schema != SCHEMA:
        raise TraceError(f"{folder} is a ledger of another gapfinder ({schema}, this one reads {SCHEMA}): make it again")
