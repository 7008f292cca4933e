"""Checks regular expressions of the user. They are those of RE2, which takes time in proportion to the text, whatever it is."""

from collections.abc import Iterable
from typing import Any

import duckdb

from gapfinder.errors import first_line

MOST_PATTERNS = 1_000  # in one file: a small trace takes a second for each 1,000


def check_patterns(patterns: Iterable[Any]) -> None:
    """Raise ValueError, with the reason, if DuckDB does not accept a pattern, or if there are too many."""
    wanted = list(patterns)
    if not wanted:
        return
    if len(wanted) > MOST_PATTERNS:
        raise ValueError(f"{len(wanted):,} regular expressions are more than {MOST_PATTERNS:,}: join some by |")
    with duckdb.connect() as connection:
        for pattern in wanted:
            if not isinstance(pattern, str):
                raise ValueError(f"{pattern!r} is no regular expression: it is no text")  # noqa: TRY004  as for all mistakes
            try:
                connection.execute("SELECT regexp_matches('', $1, 'i')", [pattern])
            except duckdb.Error as error:
                reason = first_line(error).removeprefix("Invalid Input Error: ")
                raise ValueError(f"{pattern!r} is no regular expression of RE2: {reason}") from error
