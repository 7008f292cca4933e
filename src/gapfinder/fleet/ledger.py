"""The folder of a ledger: one Parquet file for each trace in job=…/rank=…/, one for each job. A file is complete or absent."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import duckdb

from gapfinder.errors import UsageError
from gapfinder.ingest.ledger import MANIFEST, SCHEMA, check_manifest, is_ledger
from gapfinder.resources import __version__

if TYPE_CHECKING:
    from gapfinder.fleet.traces import FleetTrace

NO_RANK = "__HIVE_DEFAULT_PARTITION__"  # how Hive and readers of its partitions write NULL
PARTIAL = ".partial"
ALIGNED = "aligned.parquet"  # in the folder of a job: see fleet/align.py


class LedgerFolder:
    """A ledger for writing. `file_of` is the path of a trace; a file appears there when it is complete."""

    def __init__(self, folder: Path) -> None:
        """Make the folder unless it is a ledger. Raises UsageError if it is something else, TraceError as `check_manifest`."""
        self.folder = folder
        if folder.exists() and not folder.is_dir():
            raise UsageError(f"{folder} is a file: name a folder for the ledger with -o")
        if is_ledger(folder):
            check_manifest(folder)
        elif folder.exists() and any(folder.iterdir()):
            raise UsageError(f"{folder} is a folder that gapfinder fleet did not make: choose another path with -o")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for partial in folder.glob(f"**/*{PARTIAL}"):  # from a run that was killed
                partial.unlink()
            self._write(folder / MANIFEST, json.dumps({"schema": SCHEMA, "gapfinder": __version__}).encode())
        except OSError as error:
            raise UsageError(f"{folder} cannot be written: {error.strerror}") from error

    def file_of(self, trace: "FleetTrace") -> Path:
        """The path of the file of a trace."""
        rank = NO_RANK if trace.rank is None else str(trace.rank)
        return self.folder / f"job={quote(trace.job, safe='')}" / f"rank={rank}" / f"{trace.key}.parquet"

    def entries(self) -> dict[Path, tuple[str, bool]]:
        """The `FleetTrace.identity` of each file of the ledger, and whether the trace could be read, by file."""
        files = f"{self.folder}/*/*/*.parquet"
        if not any(self.folder.glob("*/*/*.parquet")):
            return {}
        with duckdb.connect() as connection:
            rows = connection.read_parquet(files, filename=True, hive_partitioning=False)
            entries = rows.project("filename, identity, error IS NULL").fetchall()
        return {Path(file): (identity, good) for file, identity, good in entries}

    def jobs(self) -> dict[Path, list[Path]]:
        """The files of each job, by its folder."""
        files = {folder: sorted(folder.glob("rank=*/*.parquet")) for folder in sorted(self.folder.glob("job=*"))}
        return {folder: own for folder, own in files.items() if own}

    def aligned_identity(self, job: Path) -> str | None:
        """The identity of the traces from which a job was aligned; None if it was not."""
        if not (job / ALIGNED).exists():
            return None
        with duckdb.connect() as connection:
            rows = connection.read_parquet(str(job / ALIGNED), hive_partitioning=False).project("identity").limit(1).fetchall()
        return str(rows[0][0]) if rows else None

    def write_aligned(self, job: Path, content: bytes) -> None:
        """Write what the alignment of a job has changed."""
        self._write(job / ALIGNED, content)

    @staticmethod
    def remove_aligned(job: Path) -> None:
        """Remove the alignment of a job, if there is one."""
        (job / ALIGNED).unlink(missing_ok=True)

    def write(self, trace: "FleetTrace", content: bytes) -> None:
        """Write the file of a trace; an existing file is replaced."""
        file = self.file_of(trace)
        file.parent.mkdir(parents=True, exist_ok=True)
        self._write(file, content)

    @staticmethod
    def _write(file: Path, content: bytes) -> None:
        partial = file.with_name(f"{file.name}.{os.getpid()}{PARTIAL}")
        partial.write_bytes(content)
        partial.replace(file)
