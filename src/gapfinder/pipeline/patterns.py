"""Checks regular expressions of the user. RE2 matches them; redaction reads what Python's `re` accepts, too."""

import re
from collections.abc import Iterable
from typing import Any
from warnings import catch_warnings

import duckdb

from gapfinder.errors import first_line

MOST_PATTERNS = 1_000  # in one file: a small trace takes a second for each 1,000


def check_patterns(patterns: Iterable[Any]) -> None:
    """Raise ValueError, with the reason, if one of them does not accept a pattern, or if there are too many."""
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
                with catch_warnings(category=FutureWarning, action="error"):  # Python takes [[:alpha:]] for something else
                    re.compile(pattern)
                connection.execute("SELECT regexp_matches('', $1, 'i')", [pattern])
            except (re.error, OverflowError, RecursionError, FutureWarning) as error:
                raise ValueError(f"{pattern!r} is no regular expression of Python: {first_line(error)}") from error
            except duckdb.Error as error:
                reason = first_line(error).removeprefix("Invalid Input Error: ")
                raise ValueError(f"{pattern!r} is no regular expression of RE2: {reason}") from error
