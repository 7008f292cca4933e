"""Writes a file whole or not at all: beside its place, and then renamed. Nothing that was read is ever written to."""

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from gapfinder.errors import OutputError, UsageError
from gapfinder.system.interrupting import interruptible
from gapfinder.system.paths import journals, real
from gapfinder.system.scratch import keep, scratch
from gapfinder.system.texts import is_utf8

# Characters of a name, and of its ending, while a file is written: DuckDB and SQLite write files with longer names beside it.
MOST_STEM, MOST_SUFFIX = 40, 16


def check_target(target: Path, inputs: Iterable[Path]) -> None:
    """Raise UsageError if no file may be written at `target`: where it is an input, or lies within one or around one.

    Folders that hold an input are kept when old scratch folders are removed.
    """
    if not target.name:
        raise UsageError(f"{target} names no file: choose another path")
    wanted = real(target)
    if target.exists() and not (target.is_file() or target.is_dir()):
        raise UsageError(f"{target} is no regular file: choose another path")
    for folder in (target.parent, wanted.parent):
        if not folder.is_dir():
            raise UsageError(f"{target} cannot be written: there is no folder {folder}")
    for given in inputs:
        keep(given)
        source = real(given)
        behind_links = (real(path) for path in given.rglob("*") if path.is_symlink()) if given.is_dir() else ()
        if any(wanted == read or _same_file(wanted, read) for read in (source, *behind_links)):
            raise UsageError(f"{target} is read by this command, and cannot be written by it: choose another path")
        if wanted in journals(given):
            raise UsageError(f"{target} would be taken for a journal of {given}, which this command reads: choose another path")
        if wanted.is_relative_to(source) or source.is_relative_to(wanted):
            how = "lies in" if wanted.is_relative_to(source) else "contains"
            raise UsageError(f"{target} {how} {given}, which this command reads: choose another path")


def check_name(target: Path) -> None:
    """Raise UsageError if the path of `target` is not UTF-8: SQLite and DuckDB cannot write it."""
    if not is_utf8(os.fspath(real(target))):
        raise UsageError(f"{target} has a name, or lies in a folder with a name, that is not UTF-8: choose another path")


def check_free(target: Path, *, force: bool) -> None:
    """Raise UsageError if `target` exists and may not be replaced."""
    if target.exists() and not force:
        raise UsageError(f"{target} exists already: give --force to replace it")


@contextmanager
def written(target: Path) -> Iterator[Path]:
    """A path for a new file, or folder, which gets its place and name when the block ends without an error.

    A link stays, and what it leads to is replaced. A file that is replaced keeps its mode. Raises OutputError where that fails.
    """
    place = real(target)
    with telling(target):
        if place.is_file() and not os.access(place, os.W_OK):
            raise OutputError(f"{target} cannot be written: it may only be read")
        with scratch(beside=place) as temporary:
            new = temporary / f"{place.stem[:MOST_STEM]}{place.suffix[:MOST_SUFFIX]}"
            yield new
            with suppress(FileNotFoundError):
                if new.is_file():
                    new.chmod(stat.S_IMODE(place.stat().st_mode))
            if place.is_dir():
                place.rename(temporary / "replaced")
            new.replace(place)


@contextmanager
def telling(target: Path) -> Iterator[None]:
    """Raises OutputError, which names `target`, for an error of the system."""
    with interruptible():
        try:
            yield
        except OSError as error:
            raise OutputError(f"{target} cannot be written: {error.strerror or error}") from error


def _same_file(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False
