"""Checks file names: DuckDB opens only names in UTF-8, and on Linux a name may be any bytes."""

import os
from pathlib import Path

from gapfinder.errors import TraceError
from gapfinder.system.texts import is_utf8


def check_utf8(path: Path) -> None:
    """Raise TraceError if DuckDB cannot open the path."""
    if not is_utf8(os.fspath(path.absolute())):
        raise TraceError(f"{path} has a name that is not UTF-8, and DuckDB cannot open it: rename it")
