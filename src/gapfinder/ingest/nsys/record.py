"""The record in a conversion: which trace it was made from, and with which SQL, options and config."""

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
    """The row of the table `conversion`; the fields are its columns.

    `tables` are those of the export, and the one of its missing rows; `rows` says for each how many it has. `reading` is a digest
    of the columns and rows that were read, `computing` a digest of everything that the relations depend on except the trace.
    """

    gapfinder: str
    source: str
    tables: list[str]
    rows: list[int]
    reading: str
    computing: str

    @classmethod
    def read(cls, connection: duckdb.DuckDBPyConnection, table: str) -> Self | None:
        """The record in a table, which may be anybody's; None if it is no record."""
        columns = ", ".join(f'"{name}"' for name in cls.__dataclass_fields__)
        try:
            rows = connection.execute(f"SELECT {columns} FROM {table}").fetchmany(2)
        except duckdb.BinderException:
            return None
        if len(rows) != 1:
            return None
        record = cls(*rows[0])
        lists = isinstance(record.tables, list) and isinstance(record.rows, list) and len(record.tables) == len(record.rows)
        return record if lists and all(isinstance(table, str) for table in record.tables) else None

    def write(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Create the table `conversion` with its row."""
        connection.execute((resources.folder("sql") / "conversion" / "conversion.sql").read_text(encoding="utf-8"))
        connection.execute("INSERT INTO main.conversion VALUES (?, ?, ?, ?, ?, ?)", astuple(self))


def reading_digest() -> str:
    """A digest of the SQL that says which tables, columns and rows are read."""
    return digest([declaration()])


def digest(parts: Sequence[object]) -> str:
    """The SHA-256 of the parts as JSON, in hexadecimal."""
    return sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
