"""Tells what kind of trace a path is, and makes it readable."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from gapfinder.errors import TraceError
from gapfinder.ingest import converted, nsys
from gapfinder.ingest.ledger import is_ledger
from gapfinder.ingest.load import Source
from gapfinder.ingest.parquet import ParquetSource
from gapfinder.ingest.sqlite import MAGIC, SqliteSource
from gapfinder.system.scratch import scratch

HEADER_BYTES = 64


@contextmanager
def opened(path: Path, progress: Callable[[str], None]) -> Iterator[Source]:
    """The trace at `path`: an SQLite file, a Parquet folder, a conversion, or a report, which is exported to a temporary folder.

    Raises TraceError where there is nothing to read, or a report cannot be exported.
    """
    try:
        if path.is_dir():
            yield _folder(path)
            return
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
    if header.startswith(MAGIC):
        with _unchanged(path):
            yield SqliteSource(path)
    elif converted.is_database(header):
        with converted.database_source(path) as source:
            yield source
    elif path.suffix == ".qdstrm":
        raise TraceError(f"{path} is a raw capture that was never imported; run: nsys import {path}")
    elif nsys.is_report(header):
        with _exported(path, progress) as source:
            yield source
    else:
        raise TraceError(f"{path} is neither an Nsight Systems report (.nsys-rep) nor an SQLite or Parquet export of one")


def _folder(path: Path) -> ParquetSource:
    if converted.is_folder(path):
        return converted.folder_source(path)
    if is_ledger(path):
        raise TraceError(f"{path} is the ledger of a fleet: `gapfinder sql` and `gapfinder report` read it")
    if not any(path.glob("*.parquet")):
        raise TraceError(f"{path} is a folder without Parquet files; expected one from: nsys export --type=parquetdir")
    return ParquetSource(path)


@contextmanager
def _unchanged(path: Path) -> Iterator[None]:
    """Raises TraceError where somebody writes to a file that is read meanwhile."""
    before = _version(path)
    yield
    if _version(path) != before:
        raise TraceError(f"{path} changed while it was read: wait until its export or copy is complete")


def _version(path: Path) -> tuple[int, ...]:
    """What is another number after each change; none where the file is gone."""
    try:
        status = path.stat()
    except OSError:
        return ()
    return status.st_ino, status.st_size, status.st_mtime_ns


@contextmanager
def _exported(path: Path, progress: Callable[[str], None]) -> Iterator[Source]:
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(scratch())
        except OSError as error:
            raise nsys.no_room(path, str(error.strerror)) from error
        exported = nsys.export(path, folder, progress)
        yield ParquetSource(exported) if exported.is_dir() else SqliteSource(exported)
