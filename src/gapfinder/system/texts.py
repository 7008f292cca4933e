"""Checks texts that a user gives."""

from gapfinder.errors import UsageError


def check_text(text: str) -> None:
    """Raise UsageError if a text is not UTF-8: arguments may be any bytes, and DuckDB takes only UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UsageError(f"{text!r} is not UTF-8") from error
