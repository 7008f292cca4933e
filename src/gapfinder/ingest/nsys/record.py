"""What a conversion says of itself: of which trace it is, and by what it was computed."""

import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from hashlib import sha256
from typing import Self

import duckdb

from gapfinder import resources
from gapfinder.ingest.nsys.load import declaration


@dataclass(frozen=True)
class Record:
    """The row of the table `conversion`, by its columns.

    `reading` is a digest of what was read of the trace, `computing` one of all that its relations depend on.
    """

    gapfinder: str
    source: str
    tables: list[str]
    reading: str
    computing: str

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
        connection.execute((resources.folder("sql") / "conversion" / "conversion.sql").read_text())
        connection.execute("INSERT INTO main.conversion VALUES (?, ?, ?, ?, ?)", astuple(self))


def reading() -> str:
    """A digest of which tables, columns and rows are read of a trace."""
    return digest([declaration()])


def digest(parts: Sequence[object]) -> str:
    """A digest of what can be written as JSON."""
    return sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
