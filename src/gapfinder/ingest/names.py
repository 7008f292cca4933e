"""Which files DuckDB can open by name: it knows UTF-8 only, and a name may be any bytes."""

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
    """Raise TraceError where DuckDB could not open the trace."""
    if not is_utf8(path):
        raise TraceError(f"{path} has a name that is no UTF-8, and DuckDB opens no such file: rename it")
