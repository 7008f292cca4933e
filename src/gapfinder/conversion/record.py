"""What a conversion says of itself: of which trace it is, and by what it was computed."""

import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from hashlib import sha256
from typing import Self

import duckdb

from gapfinder import __version__, layers
from gapfinder.config import Config
from gapfinder.options import Options


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
        connection.execute((layers.folder() / "conversion.sql").read_text())
        connection.execute("INSERT INTO main.conversion VALUES (?, ?, ?, ?, ?)", astuple(self))


def reading() -> str:
    """A digest of which tables, columns and rows are read of a trace."""
    return _digest([layers.definitions(file) for file in layers.files("0_export")])


def computing(options: Options, config: Config) -> str:
    """A digest of all that the layers of a trace depend on, but for the trace."""
    texts = [file.read_text() for layer in layers.names() for file in layers.files(layer)]
    own = [(file.stem, file.read_text()) for file in config.cause_files]
    return _digest([__version__, texts, own, config.patterns, options.choices()])


def _digest(parts: Sequence[object]) -> str:
    return sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
