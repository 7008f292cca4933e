"""The manifest: a file that marks the folder of a fleet."""

import json
from pathlib import Path

from gapfinder.errors import TraceError

MANIFEST = "gapfinder-fleet.json"
SCHEMA = "gapfinder.fleet/4"


def is_fleet(path: Path) -> bool:
    """Whether the path is a folder that `gapfinder fleet` made."""
    return (path / MANIFEST).is_file()


def check_manifest(folder: Path) -> None:
    """Raise TraceError if another version of gapfinder made the folder, with a schema that this version does not read."""
    try:
        schema = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["schema"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TraceError(
            f"{folder / MANIFEST} is damaged: remove {folder}, or name another folder, and run gapfinder fleet again"
        ) from error
    if schema != SCHEMA:
        raise TraceError(
            f"{folder} is a fleet of another version of gapfinder ({schema}; this one reads {SCHEMA}): make it again"
        )
