"""Checks regular expressions of the user. DuckDB (RE2) and Python's `re`, which redaction uses, must both accept them."""

import re
from collections.abc import Iterable
from typing import Any

import duckdb

from gapfinder.errors import first_line


def check_patterns(patterns: Iterable[Any]) -> None:
    """Raise ValueError, with the reason, if one of them does not accept a pattern."""
    wanted = list(patterns)
    if not wanted:
        return
    with duckdb.connect() as connection:
        for pattern in wanted:
            if not isinstance(pattern, str):
                raise ValueError(f"{pattern!r} is no regular expression: it is no text")  # noqa: TRY004  as for all mistakes
            try:
                re.compile(pattern)
                connection.execute("SELECT regexp_matches('', $1, 'i')", [pattern])
            except (re.error, OverflowError, RecursionError, duckdb.Error) as error:
                raise ValueError(f"{pattern!r} is no regular expression of RE2: {first_line(error)}") from error
