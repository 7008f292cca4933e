"""Finds the source that reads a trace. A source is a folder of this package whose module `trace` follows the protocol `Kind`."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Protocol

import duckdb

from gapfinder import ingest
from gapfinder.errors import TraceError, did_you_mean
from gapfinder.ingest.read_range import ReadRange

HEADER_BYTES = 64
NSYS = "nsys"  # comes last: it accepts every path, and says what is wrong with one that is not a trace


class Source(Protocol):
    """An open trace.

    `sql` is a folder with one SQL file for each relation of `sql/trace/10_source/nsys` that the source has. A relation without a
    file is empty.
    """

    @property
    def sql(self) -> Path:
        """The folder with the SQL files."""

    def load(
        self, connection: duckdb.DuckDBPyConnection, *, read_range: ReadRange | None, for_conversion: bool
    ) -> dict[str, int]:
        """Load the tables that the SQL files read; returns the number of rows by table.

        With a `read_range`, only its rows are loaded. With `for_conversion`, texts that no relation reads are left out. Raises
        TraceError if the trace is damaged.
        """


class Kind(Protocol):
    """The module `trace` of a source."""

    def recognises(self, path: Path, header: bytes) -> bool:
        """Whether the path is a trace of this kind. `header` is its first bytes, empty for a folder."""

    def opened(self, path: Path, header: bytes, progress: Callable[[str], None]) -> AbstractContextManager[Source]:
        """The open trace. `progress` gets a line when a long task begins. Raises TraceError."""


@contextmanager
def opened(path: Path, progress: Callable[[str], None]) -> Iterator[Source]:
    """The open trace at a path, of any kind. `progress` as in `Kind.opened`. Raises TraceError if the path cannot be read."""
    header = _header(path)
    names = sorted(
        (module.name for module in iter_modules(ingest.__path__) if module.ispkg), key=lambda name: (name == NSYS, name)
    )
    kinds: list[Kind] = [import_module(f"{ingest.__name__}.{name}.trace") for name in names]
    kind = next(kind for kind in kinds if kind.recognises(path, header))
    with kind.opened(path, header, progress) as source:
        yield source


def _header(path: Path) -> bytes:
    """The first bytes of a file; empty for a folder."""
    try:
        if path.is_dir():
            return b""
        if not path.exists():
            why = "is a link to no file: give the path of a trace" if path.is_symlink() else f"does not exist{_nearest(path)}"
            raise TraceError(f"{path} {why}")
        if not path.is_file():
            raise TraceError(f"{path} is not a regular file: give the path of a .nsys-rep, a .sqlite or a Parquet folder")
        with path.open("rb") as file:
            header = file.read(HEADER_BYTES)
    except OSError as error:
        raise TraceError(f"{path} cannot be read: {error.strerror}") from error
    if not header:
        raise TraceError(f"{path} is empty: its export or copy failed; make it again")
    return header


def _nearest(path: Path) -> str:
    """A question with the file of a similar name in the same folder, where there is one."""
    try:
        return did_you_mean(path.name, [file.name for file in path.parent.iterdir()])
    except OSError:
        return ""
