"""Paths as the system sees them."""

import os
from pathlib import Path


def real(path: Path) -> Path:
    """The path without links. Unlike Path.resolve, it leaves links that lead in a circle as they are."""
    return Path(os.path.realpath(path))


def journals(database: Path) -> list[Path]:
    """What SQLite writes beside a database, and reads before it. Of a database behind a link they are beside the file itself."""
    return [Path(f"{real(database)}{ending}") for ending in ("-journal", "-wal")]
