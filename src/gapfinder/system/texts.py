"""Checks texts that a user gives."""

from collections.abc import Iterable

from gapfinder.errors import UsageError


def texts(given: Iterable[str]) -> Iterable[str]:
    """The texts, of which there is one where a text stands in place of a list of them."""
    return [given] if isinstance(given, str) else given


def check_text(text: str) -> None:
    """Raise UsageError if a text is not UTF-8: arguments may be any bytes, and DuckDB takes only UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UsageError(f"{text!r} is not UTF-8") from error
