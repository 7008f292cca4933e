"""Tells whether DuckDB failed for want of memory or of room on the disk."""

import re

import duckdb

_FULL = re.compile(r"No space left on device|Disk quota exceeded|File too large")  # what DuckDB repeats of a failed write


def lacks_room(error: Exception) -> bool:
    """Whether there was too little memory for what DuckDB had to hold, and too little room on the disk for the rest."""
    return isinstance(error, duckdb.OutOfMemoryException) or _FULL.search(str(error)) is not None
