"""The folder of a fleet: one Parquet file for each trace in job=…/rank=…/, one for each job. A file is complete or absent."""

import fcntl
import json
import os
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote
from weakref import finalize

import duckdb

from gapfinder.errors import UsageError
from gapfinder.fleet.files import ALIGNED, NO_RANK, aligned_in, files_in, read_sound
from gapfinder.ingest.manifest import MANIFEST, SCHEMA, check_manifest, is_fleet
from gapfinder.resources import __version__
from gapfinder.system.writing import telling

if TYPE_CHECKING:
    from gapfinder.fleet.traces import FleetTrace

PARTIAL = ".partial"
LOCK = "gapfinder-fleet.lock"


class FleetFolder:
    """The folder of a fleet, for writing. `file_of` is the path of a trace; a file appears there when it is complete."""

    def __init__(self, folder: Path) -> None:
        """Make the folder unless it is of a fleet, and lock it for as long as this object lives.

        Raises UsageError if it is something else or another run writes it, OutputError if it cannot be written, TraceError as
        `check_manifest`.
        """
        self.folder = folder
        if folder.exists() and not folder.is_dir():
            raise UsageError(f"{folder} is a file: name a folder for the fleet with -o")
        if is_fleet(folder):
            check_manifest(folder)
        elif folder.exists() and {path.name for path in folder.iterdir()} - {LOCK}:  # a full disk has room for the lock alone
            raise UsageError(f"{folder} is a folder that gapfinder fleet did not make: choose another path with -o")
        with telling(folder):
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = (folder / LOCK).open("ab")
            finalize(self, self._lock.close)
            self._take_lock()
            for partial in folder.glob(f"**/*{PARTIAL}"):  # from a run that was killed
                partial.unlink()
            self._write(folder / MANIFEST, json.dumps({"schema": SCHEMA, "gapfinder": __version__}).encode())

    def _take_lock(self) -> None:
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise UsageError(f"another run of gapfinder fleet writes {self.folder}: wait until it has ended") from error
        except OSError:  # some network file systems have no locks
            return

    def file_of(self, trace: "FleetTrace") -> Path:
        """The path of the file of a trace."""
        rank = NO_RANK if trace.rank is None else str(trace.rank)
        job = quote(trace.job, safe="")
        if job == NO_RANK:  # readers take it for NULL
            job = job.replace("_", "%5F", 1)
        return self.folder / f"job={job}" / f"rank={rank}" / f"{trace.key}.parquet"

    def entries(self) -> dict[Path, tuple[str, bool]]:
        """The `FleetTrace.identity` of each file, and whether the trace could be read, by file.

        Those of damaged files are not there, as if they had never been written.
        """
        with duckdb.connect() as connection:

            def read(files: list[str]) -> list[tuple[str, str, bool]]:
                if not files:
                    return []
                rows = connection.read_parquet(files, filename=True, hive_partitioning=False)
                return rows.project("filename, identity, error IS NULL").fetchall()

            entries, _ = read_sound(files_in(self.folder), read)
        return {Path(file): (identity, good) for file, identity, good in entries}

    def jobs(self) -> dict[Path, list[Path]]:
        """The files of each job, by its folder."""
        files = {folder: sorted(folder.glob("rank=*/*.parquet")) for folder in sorted(self.folder.glob("job=*"))}
        return {folder: own for folder, own in files.items() if own}

    def aligned_identity(self, job: Path) -> str | None:
        """The identity of the traces from which a job was aligned; None if it was not, or the file is damaged."""
        if not (files := aligned_in(job.parent, escape(job.name))):
            return None
        with duckdb.connect() as connection:
            rows = connection.read_parquet(files, hive_partitioning=False).project("identity").limit(1).fetchall()
        return str(rows[0][0]) if rows else None

    def write_aligned(self, job: Path, content: bytes) -> None:
        """Write what the alignment of a job has changed. Raises OutputError."""
        with telling(self.folder):
            self._write(job / ALIGNED, content)

    @staticmethod
    def remove_aligned(job: Path) -> None:
        """Remove the alignment of a job, if there is one."""
        (job / ALIGNED).unlink(missing_ok=True)

    def write(self, trace: "FleetTrace", content: bytes) -> None:
        """Write the file of a trace; an existing file is replaced. Raises OutputError."""
        file = self.file_of(trace)
        with telling(self.folder):
            file.parent.mkdir(parents=True, exist_ok=True)
            self._write(file, content)

    @staticmethod
    def _write(file: Path, content: bytes) -> None:
        partial = file.with_name(f"{file.name}.{os.getpid()}{PARTIAL}")
        try:
            partial.write_bytes(content)
            partial.replace(file)
        except OSError:
            partial.unlink(missing_ok=True)
            raise
