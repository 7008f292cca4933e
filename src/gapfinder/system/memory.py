"""How much memory a trace may take, and the private folder on disk for what does not fit."""

import re
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from gapfinder.errors import UsageError
from gapfinder.system.scratch import scratch

# Of a limit, what is not DuckDB's: Python with its libraries takes 70 MB, a replay the rest; and what DuckDB gave back and its
# allocator still holds (100 million rows at 3.85 GB: 0.46 GB beside it).
BESIDE_BYTES, BESIDE_SHARE = 130_000_000, 0.1
LEAST_BYTES = 250_000_000  # the layers of a small trace take 30 MB
_SIZE = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)\s*(MB|GB|TB|MIB|GIB|TIB)")
_UNITS = {"MB": 10**6, "GB": 10**9, "TB": 10**12, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40}


def size(text: str) -> int:
    """A size as 4GB or 800MiB, in bytes. Raises UsageError."""
    found = _SIZE.fullmatch(text.upper())
    if not found:
        raise UsageError(f"{text!r} is no size: give a number and a unit, as in 4GB or 800MB")
    size_bytes = int(float(found[1]) * _UNITS[found[2]])
    if size_bytes < LEAST_BYTES:
        raise UsageError(f"a memory limit of {text} is too little: give at least {LEAST_BYTES // 10**6}MB")
    return size_bytes


def free_bytes() -> int | None:
    """Memory that could be had without swapping, in this container where it is one; None where the system does not say."""
    found = []
    with suppress(OSError):
        lines = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
        found.append(int(lines["MemAvailable"].split()[0]) * 1024)
    with suppress(OSError, ValueError):  # "max" where there is no limit
        group = Path("/sys/fs/cgroup")
        found.append(int((group / "memory.max").read_text()) - int((group / "memory.current").read_text()))
    return max(min(found), 2 * LEAST_BYTES) if found else None


class Room:
    """What a database may take: `settings` are those of DuckDB. Close it when the database is closed."""

    def __init__(self, limit_bytes: int | None) -> None:
        self._folder = ExitStack()
        self.settings: dict[str, Any] = {"temp_directory": str(self._folder.enter_context(scratch()) / "spilled")}
        free = free_bytes()
        limit_bytes = limit_bytes or (free // 2 if free else None)
        if limit_bytes:
            self.settings["memory_limit"] = f"{int(limit_bytes * (1 - BESIDE_SHARE) - BESIDE_BYTES) // 10**6}MB"

    def close(self) -> None:
        """Remove what was spilled."""
        self._folder.close()
