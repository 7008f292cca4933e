"""Finds what can read a trace. Each folder of this package whose module `trace` has `recognises` and `opened` is a source."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Protocol

import duckdb

from gapfinder import ingest
from gapfinder.errors import TraceError
from gapfinder.ingest.part import Part

HEADER_BYTES = 64
NSYS = "nsys"  # asked last: it says why it refuses what nobody recognises


class Source(Protocol):
    """A trace that is open for reading.

    `sql` is a folder of SQL files, one for each relation of `sql/trace/10_source/nsys` that the source has: what it has no file
    for is empty.
    """

    @property
    def sql(self) -> Path:
        """That folder."""

    def load(self, connection: duckdb.DuckDBPyConnection, *, part: Part | None, to_keep: bool) -> dict[str, int]:
        """Fill a schema of the database with what those files read; returns the number of rows by table.

        Only that part is read where one is given; for a conversion `to_keep`, texts that no relation reads are left out. Raises
        TraceError where the trace is damaged.
        """


class Kind(Protocol):
    """The module `trace` of a source."""

    def recognises(self, path: Path, header: bytes) -> bool:
        """Whether it is a trace of this kind, by its path and first bytes (none of a folder)."""

    def opened(self, path: Path, header: bytes, progress: Callable[[str], None]) -> AbstractContextManager[Source]:
        """The trace, open. Raises TraceError."""


@contextmanager
def opened(path: Path, progress: Callable[[str], None]) -> Iterator[Source]:
    """The trace at a path, whatever its kind. Raises TraceError where there is nothing to read."""
    header = _header(path)
    names = sorted(
        (module.name for module in iter_modules(ingest.__path__) if module.ispkg), key=lambda name: (name == NSYS, name)
    )
    kinds: list[Kind] = [import_module(f"{ingest.__name__}.{name}.trace") for name in names]
    kind = next(kind for kind in kinds if kind.recognises(path, header))
    with kind.opened(path, header, progress) as source:
        yield source


def _header(path: Path) -> bytes:
    """The first bytes of a file; none of a folder."""
    try:
        if path.is_dir():
            return b""
        if not path.exists():
            raise TraceError(f"{path} does not exist")
        if not path.is_file():
            raise TraceError(f"{path} is not a regular file: give the path of a .nsys-rep, a .sqlite or a Parquet folder")
        with path.open("rb") as file:
            header = file.read(HEADER_BYTES)
    except OSError as error:
        raise TraceError(f"{path} cannot be read: {error.strerror}") from error
    if not header:
        raise TraceError(f"{path} is empty: the export or the copy of it failed; make it again")
    return header
