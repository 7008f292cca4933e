"""Checks file names: DuckDB opens only names in UTF-8, and on Linux a name may be any bytes."""

import os
from pathlib import Path

from gapfinder.errors import TraceError


def is_utf8(path: Path) -> bool:
    """Whether the whole path is UTF-8."""
    try:
        os.fspath(path.absolute()).encode()
    except UnicodeEncodeError:
        return False
    return True


def check_utf8(path: Path) -> None:
    """Raise TraceError if DuckDB cannot open the path."""
    if not is_utf8(path):
        raise TraceError(f"{path} has a name that is not UTF-8, and DuckDB cannot open it: rename it")
