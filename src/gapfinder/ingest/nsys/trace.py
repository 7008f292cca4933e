"""Opens traces of Nsight Systems: a report, an SQLite or Parquet export of one, or a conversion."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import duckdb

from gapfinder.errors import TraceError
from gapfinder.ingest.manifest import is_fleet
from gapfinder.ingest.nsys import converted, report
from gapfinder.ingest.nsys.load import NSYS_SQL, Tables, drop_unused, load
from gapfinder.ingest.nsys.other_files import file_of_another_kind, folder_without_parquet, is_parquet_export
from gapfinder.ingest.nsys.parquet import ParquetTables
from gapfinder.ingest.nsys.sqlite import MAGIC, SqliteTables
from gapfinder.ingest.read_range import ReadRange
from gapfinder.ingest.source import HEADER_BYTES
from gapfinder.system.scratch import scratch


class NsysTrace:
    """An open trace of Nsight Systems."""

    sql = NSYS_SQL

    def __init__(self, tables: Tables, path: Path) -> None:
        self.tables = tables
        self._path = path

    def load(
        self, connection: duckdb.DuckDBPyConnection, *, read_range: ReadRange | None, for_conversion: bool
    ) -> dict[str, int]:
        """See `Source.load`."""
        rows = load(connection, self.tables, self._path, read_range=read_range)
        if for_conversion:
            drop_unused(connection)
        return rows


def recognises(path: Path, header: bytes) -> bool:  # noqa: ARG001  part of the protocol
    """Always true. Nsight Systems is the last source, and `opened` says what is wrong with a path that is not a trace."""
    return True


def is_recording(path: Path) -> bool:
    """Whether a file is a report, an SQLite database or a DuckDB database, as traces and conversions are."""
    try:
        with path.open("rb") as file:
            header = file.read(HEADER_BYTES)
    except OSError:
        return False
    return report.is_report(header) or header.startswith(MAGIC) or converted.is_database(header)


@contextmanager
def opened(path: Path, header: bytes, progress: Callable[[str], None]) -> Iterator[NsysTrace]:
    """The trace at a path. Raises TraceError if it is not a trace, or if a report cannot be exported."""
    with _unchanged(path):
        if path.is_dir():
            yield NsysTrace(_folder(path), path)
        elif header.startswith(MAGIC):
            yield NsysTrace(SqliteTables(path), path)
        elif converted.is_database(header):
            with converted.database_tables(path) as tables:
                yield NsysTrace(tables, path)
        elif report.is_report(header) and path.suffix != ".qdstrm":
            with _exported(path, progress) as tables:
                yield NsysTrace(tables, path)
        else:
            raise TraceError(file_of_another_kind(path, header))


def _folder(path: Path) -> ParquetTables:
    if converted.is_folder(path):
        return converted.folder_tables(path)
    if is_fleet(path):
        raise TraceError(f"{path} is the folder of a fleet: open it with `gapfinder sql` or `gapfinder report`")
    if not is_parquet_export(path):
        raise TraceError(folder_without_parquet(path))
    return ParquetTables(path)


@contextmanager
def _unchanged(path: Path) -> Iterator[None]:
    """Raises TraceError if the file, or one in the folder, changes while it is read."""
    before = versions(path)
    yield
    if versions(path) != before:
        raise TraceError(f"{path} changed while it was read: wait until its export or copy is complete")


def versions(path: Path) -> dict[Path, tuple[int, ...]]:
    """Of each file: inode, size and time of the last change; none of a file that does not exist."""
    files = path.rglob("*.parquet") if path.is_dir() else [path]
    versions: dict[Path, tuple[int, ...]] = {}
    for file in files:
        with suppress(OSError):
            status = file.stat()
            versions[file] = (status.st_ino, status.st_size, status.st_mtime_ns)
    return versions


@contextmanager
def _exported(path: Path, progress: Callable[[str], None]) -> Iterator[Tables]:
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(scratch())
        except OSError as error:
            raise report.no_space(path, str(error.strerror)) from error
        exported = report.export(path, folder, progress)
        try:
            yield ParquetTables(exported) if exported.is_dir() else SqliteTables(exported)
        except TraceError as error:  # the user knows no such file
            raise TraceError(str(error).replace(str(exported), f"what nsys made of {path}")) from error
