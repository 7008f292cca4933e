"""What the process may take: memory, addresses, threads and open files; and the temporary folder to which DuckDB spills."""

import errno
import os
import re
import resource
import sys
import tempfile
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from gapfinder import units
from gapfinder.errors import TraceError, UsageError
from gapfinder.system.control_groups import room_bytes
from gapfinder.system.scratch import scratch
from gapfinder.system.texts import check_text

# The part of a limit that DuckDB does not get. The fixed part is for Python with its libraries (90 MB) and for a replay, or the
# arrays of intervals. The share is for memory that DuckDB freed and its allocator still holds (100 million rows with 3.85 GB for
# DuckDB: 0.46 GB), and for rows on their way to and from arrays.
RESERVED_BYTES, RESERVED_SHARE = 130_000_000, 0.15
MIN_BYTES = 250_000_000  # the relations of a small trace take 30 MB
PAGE_BYTES = resource.getpagesize()
# Addresses, not memory: of the libraries, and for each core of a thread of DuckDB and one of polars, with arenas of 64 MiB. With
# 2 cores, 1.2 GB are too few for the smallest trace, and 1.5 GB are enough.
ADDRESSES_BYTES, ADDRESSES_PER_CORE_BYTES = 1_200_000_000, 140_000_000
POLARS_THREADS = "POLARS_MAX_THREADS"
LOOK_EVERY_S = 0.02  # at the memory: 0.02 s can add 40 MB
TOO_MUCH = 1.25  # times the limit: there the process ends, if it may
LEAST_BYTES = 100_000_000  # for what the user's SQL makes, however much what was read before it holds
DESCRIPTORS = 16  # open files while a trace is read; later it keeps one
_SIZE = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)\s*(MB|GB|TB|MIB|GIB|TIB)")
_UNITS = {"MB": 10**6, "GB": 10**9, "TB": 10**12, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40}


def parse_size(text: str) -> int:
    """Parse a size such as 4GB or 800MiB; in bytes. Raises UsageError."""
    match = _SIZE.fullmatch(text.upper())
    if not match:
        raise UsageError(f"{text!r} is not a size: give a number and a unit, as in 4GB or 800MB")
    size_bytes = int(float(match[1]) * _UNITS[match[2]])
    if size_bytes < MIN_BYTES:
        raise UsageError(f"a memory limit of {text} is too small: give at least {MIN_BYTES // 10**6}MB")
    return size_bytes


def check_address_space() -> None:
    """Raise UsageError where `ulimit -v` leaves so few addresses that the C library ends the process when a thread starts."""
    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    needed = ADDRESSES_BYTES + ADDRESSES_PER_CORE_BYTES * len(os.sched_getaffinity(0))
    if allowed != resource.RLIM_INFINITY and allowed < needed:
        raise UsageError(
            f"`ulimit -v` leaves {allowed / 1e9:.1f} GB of addresses, and gapfinder needs {needed / 1e9:.1f} GB on this machine "
            "(it uses far less memory): raise it, and limit the memory with --memory-limit"
        )


def check_threads() -> None:
    """Raise UsageError where the environment leaves polars no thread: it would end the process with lines of its own."""
    if re.fullmatch(r"\+?0+", os.environ.get(POLARS_THREADS, "")):
        raise UsageError(f"{POLARS_THREADS} is 0 in the environment, and polars needs a thread: unset it, or set it to 1 or more")


def check_descriptors() -> None:
    """Raise UsageError where `ulimit -n` leaves so few files that a trace seems to be damaged."""
    allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        there = len([*Path("/proc/self/fd").iterdir()])
    except OSError as error:
        there = allowed if error.errno == errno.EMFILE else 0
    if there + DESCRIPTORS > allowed:
        raise UsageError(
            f"{there} files are open, and `ulimit -n` allows {allowed}: close some, such as traces, or raise it "
            f"(gapfinder needs {DESCRIPTORS} more)"
        )


def free_bytes() -> int | None:
    """Memory that is available without swapping, of the machine and in this process's control groups.

    None if the system does not say. Where it is less than twice MIN_BYTES, so much is taken to be free.
    """
    available = []
    with suppress(OSError):
        lines = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text(encoding="utf-8").splitlines())
        available.append(int(lines["MemAvailable"].split()[0]) * 1024)
    if (room := room_bytes()) is not None:
        available.append(room)
    return max(min(available), 2 * MIN_BYTES) if available else None


def used_bytes() -> int:
    """Memory that this process occupies; 0 if the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1]) * PAGE_BYTES
    except OSError:
        return 0


class MemoryWatch:
    """Tells when this process gets larger than `limit_bytes`, while SQL of the user makes `what`. None means without a limit.

    DuckDB keeps its own limit, but neither the rows that it hands over nor what a function takes.
    """

    def __init__(self, limit_bytes: int | None, what: str = "the result") -> None:
        self._what = what
        self._most_bytes = max(limit_bytes or sys.maxsize, used_bytes() + LEAST_BYTES)

    def check(self, more_bytes: int = 0) -> None:
        """Raise UsageError where the process is too large, or would be with `more_bytes`."""
        if used_bytes() + more_bytes > self._most_bytes:
            raise UsageError(
                f"{self._what} does not fit into the memory limit of {units.size(self._most_bytes)}: select shorter texts or "
                "fewer columns, or raise --memory-limit"
            )

    def is_far_exceeded(self) -> bool:
        """Whether one call of a function goes on to take memory, which only the end of the process ends."""
        return used_bytes() > self._most_bytes * TOO_MUCH


class MemoryBudget:
    """The limits of one database, as DuckDB's `settings`: memory, and a folder to spill to. Close it after the database.

    `limit_bytes` is the limit of the whole process; None means half of the free memory, or no limit where that is unknown.
    """

    def __init__(self, limit_bytes: int | None) -> None:
        check_descriptors()
        self._folder = ExitStack()
        try:
            check_text(tempfile.gettempdir())
            folder = self._folder.enter_context(scratch())
        except OSError as error:
            where = f" in {tempfile.tempdir}" if tempfile.tempdir else ""
            raise TraceError(
                f"no temporary folder can be made{where} ({error.strerror or error}): make room for it there, or set TMPDIR to "
                "another folder and start again"
            ) from error
        self.settings: dict[str, Any] = {"temp_directory": str(folder / "spilled")}
        free = free_bytes()
        self.limit_bytes = limit_bytes or (free // 2 if free else None)
        if self.limit_bytes:
            self.settings["memory_limit"] = f"{int(self.limit_bytes * (1 - RESERVED_SHARE) - RESERVED_BYTES) // 10**6}MB"

    def close(self) -> None:
        """Remove the temporary folder."""
        self._folder.close()
