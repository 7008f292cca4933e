"""Paths as the system sees them."""

import os
from pathlib import Path

JOURNALS = ("-journal", "-wal")  # how the names of files end that SQLite writes beside a database, and reads before it


def real(path: Path) -> Path:
    """The path without links. Unlike Path.resolve, it leaves links that lead in a circle as they are."""
    return Path(os.path.realpath(path))
