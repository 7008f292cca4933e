"""Rows as Python has them."""

from typing import Any

import duckdb


def rows_of(connection: duckdb.DuckDBPyConnection, query: str) -> list[dict[str, Any]]:
    """Rows of a `SELECT … FROM view`, by column name."""
    found = connection.execute(query)
    names = [column[0] for column in found.description]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]
