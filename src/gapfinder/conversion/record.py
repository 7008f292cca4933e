"""What a conversion says of itself: of which trace it is, and by what it was computed."""

import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from hashlib import sha256
from typing import Self

import duckdb

from gapfinder import __version__
from gapfinder.ingest.load import declaration
from gapfinder.options import Options
from gapfinder.pipeline import relations
from gapfinder.pipeline.config import Config
from gapfinder.pipeline.database import defined


@dataclass(frozen=True)
class Record:
    """The row of the table `conversion`, by its columns."""

    gapfinder: str
    source: str
    tables: list[str]
    reading: str
    computing: str

    @classmethod
    def of(cls, source: str, tables: set[str], options: Options, config: Config) -> Self:
        """That of a trace which this gapfinder computed; `source` is its file name, `tables` what the export has."""
        return cls(__version__, source, sorted(tables), reading(), computing(options, config))

    @classmethod
    def read(cls, connection: duckdb.DuckDBPyConnection) -> Self | None:
        """That of a conversion; None where the database is none."""
        try:
            rows = connection.execute("SELECT * FROM main.conversion").fetchall()
            return cls(*rows[0])
        except (duckdb.CatalogException, duckdb.PermissionException, IndexError, TypeError):  # a view may ask for a file
            return None

    def write(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Create the table with its row."""
        connection.execute((relations.folder() / "conversion" / "conversion.sql").read_text())
        connection.execute("INSERT INTO main.conversion VALUES (?, ?, ?, ?, ?)", astuple(self))


def reading() -> str:
    """A digest of which tables, columns and rows are read of a trace."""
    return _digest([declaration()])


def computing(options: Options, config: Config) -> str:
    """A digest of all that the relations of a trace depend on, but for the trace."""
    made = defined(config, options, ())
    return _digest([__version__, declaration(), [(name, made[name].sql, made[name].comments) for name in sorted(made)]])


def _digest(parts: Sequence[object]) -> str:
    return sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
