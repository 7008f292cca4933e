"""The folder of a fleet's ledger: job=…/rank=…/, with a Parquet file for each trace, which is whole or not there."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import duckdb

from gapfinder.errors import UsageError
from gapfinder.ingest.ledger import MANIFEST, SCHEMA, check, is_ledger
from gapfinder.resources import __version__

if TYPE_CHECKING:
    from gapfinder.fleet.traces import FleetTrace

NO_RANK = "__HIVE_DEFAULT_PARTITION__"  # as Hive, and all that read its partitions, write NULL
HALF = ".half"


class LedgerFolder:
    """A ledger that is written to. `place` says where a trace belongs; what is written lies there at once, or not at all."""

    def __init__(self, folder: Path) -> None:
        """Make the folder, unless it is a ledger already. Raises UsageError where it is something else."""
        self.folder = folder
        if folder.exists() and not folder.is_dir():
            raise UsageError(f"{folder} is a file: name a folder for the ledger with -o")
        if is_ledger(folder):
            check(folder)
        elif folder.exists() and any(folder.iterdir()):
            raise UsageError(f"{folder} is a folder that gapfinder fleet did not make: name another place with -o")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for half in folder.glob(f"**/*{HALF}"):  # of a run that was killed
                half.unlink()
            self._write(folder / MANIFEST, json.dumps({"schema": SCHEMA, "gapfinder": __version__}).encode())
        except OSError as error:
            raise UsageError(f"{folder} cannot be written: {error.strerror}") from error

    def place(self, trace: "FleetTrace") -> Path:
        """The file that a trace has, or gets."""
        rank = NO_RANK if trace.rank is None else str(trace.rank)
        return self.folder / f"job={quote(trace.job, safe='')}" / f"rank={rank}" / f"{trace.key}.parquet"

    def kept(self) -> dict[Path, tuple[str, bool]]:
        """Every file of the ledger with the identity that it was made of, and whether the trace was good."""
        files = f"{self.folder}/*/*/*.parquet"
        if not any(self.folder.glob("*/*/*.parquet")):
            return {}
        with duckdb.connect() as connection:
            rows = connection.read_parquet(files, filename=True, hive_partitioning=False)
            found = rows.project("filename, identity, error IS NULL").fetchall()
        return {Path(file): (identity, good) for file, identity, good in found}

    def keep(self, trace: "FleetTrace", content: bytes) -> None:
        """Write what was made of a trace, over what was there."""
        file = self.place(trace)
        file.parent.mkdir(parents=True, exist_ok=True)
        self._write(file, content)

    @staticmethod
    def _write(file: Path, content: bytes) -> None:
        half = file.with_name(f"{file.name}.{os.getpid()}{HALF}")
        half.write_bytes(content)
        half.replace(file)
