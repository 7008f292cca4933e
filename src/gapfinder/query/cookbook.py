"""The cookbook: queries that ship with gapfinder, each for one question that one asks of a trace."""

from pathlib import Path

from gapfinder.errors import UsageError, did_you_mean
from gapfinder.resources import folder


def queries() -> dict[str, Path]:
    """The file of each query, by its name."""
    return {file.stem: file for file in sorted((folder("sql") / "cookbook").glob("*.sql"))}


def questions() -> dict[str, str]:
    """The question that each query answers, from the first line of its file."""
    return {name: _text(file).partition("\n")[0].removeprefix("-- ") for name, file in queries().items()}


def query(name: str) -> str:
    """The SQL of the query with that name. Raises UsageError where there is none."""
    found = queries()
    if name not in found:
        raise UsageError(f"the cookbook has no query {name!r}{did_you_mean(name, found)}; `gapfinder views cookbook` lists them")
    return _text(found[name])


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8")
