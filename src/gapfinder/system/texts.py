"""Checks texts and paths that a user gives, who may give anything to the Python API."""

from collections.abc import Iterable
from errno import ENAMETOOLONG
from os import PathLike, fsencode, fspath, lstat
from pathlib import Path

from gapfinder.errors import UsageError
from gapfinder.units import shortened

SHOWN_CHARS = 60  # of a path that is too long, or a word that is refused


def texts(given: Iterable[str]) -> list[str]:
    """The texts, of which there is one where a text stands in place of a list of them. Raises UsageError."""
    found = [given] if isinstance(given, str) else list(given) if isinstance(given, Iterable) else [given]
    for text in found:
        check_text(text)
    return found


def check_text(text: object) -> None:
    """Raise UsageError if this is no text or not UTF-8: arguments may be any bytes, and DuckDB takes only UTF-8."""
    if not isinstance(text, str):
        raise UsageError(f"{text!r} is not a text")
    if not is_utf8(text):
        raise UsageError(f"{text!r} is not UTF-8")


def is_utf8(text: str) -> bool:
    """Whether this can be written as UTF-8: arguments and names of files may be any bytes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def as_path(given: str | PathLike[str]) -> Path:
    """The path. Raises UsageError if it is no path, too long or empty: for pathlib, an empty path is the current folder."""
    text = fspath(given) if isinstance(given, str | PathLike) else None
    if not isinstance(text, str):
        raise UsageError(f"{given!r} is not a path")
    if not text:
        raise UsageError("the path is empty: name a file or a folder")
    try:
        name = fsencode(text)
    except UnicodeEncodeError as error:
        raise UsageError(f"{text!r} is not a path") from error
    if b"\0" in name:
        raise UsageError(f"{text!r} is not a path")
    if _is_too_long(name):
        raise UsageError(f"{shortened(text, SHOWN_CHARS)} is too long for a path")
    return Path(text)


def _is_too_long(name: bytes) -> bool:
    """Whether the system takes no path of this length. Path.exists and its like raise OSError for one."""
    try:
        lstat(name)
    except OSError as error:
        return error.errno == ENAMETOOLONG
    return False
