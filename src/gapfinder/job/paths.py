"""Finds the traces that a path means: one trace, those of a folder, or those that match a pattern."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from gapfinder.errors import UsageError
from gapfinder.ingest.manifest import is_fleet
from gapfinder.ingest.nsys.converted import is_folder
from gapfinder.ingest.nsys.other_files import ENDINGS, is_parquet_export

RANK_DIGITS = 9  # a longer number is none: a time, say
RANK = re.compile(r"(?<![a-z])rank[-_=. ]?(\d+)", re.IGNORECASE)


def expanded(path: Path) -> list[Path]:
    """The traces that a path means, in the order of the numbers in their names.

    A path that means no others, such as the folder of a fleet, is returned itself. Raises UsageError for a pattern that is none.
    """
    if path.is_dir() and not is_folder(path) and not is_fleet(path) and not is_parquet_export(path):
        return in_order(_traces(path.iterdir())) or [path]
    if not path.exists() and re.search(r"[*?\[]", str(path)):
        try:
            named = list(Path(path.anchor or ".").glob(str(path.relative_to(path.anchor))))
            return in_order(_traces(named) or named) or [path]
        except ValueError as error:
            raise UsageError(f"{path} is no pattern: {error}") from error
    return [path]


def all_traces(paths: Iterable[Path]) -> list[Path]:
    """The traces that several paths mean, each once. Raises UsageError if there is no path, or as `expanded`."""
    found = in_order({trace for path in paths for trace in expanded(path)})
    if not found:
        raise UsageError("no traces are given: name those of the ranks, their folder or a pattern")
    return found


def in_order(paths: Iterable[Path]) -> list[Path]:
    """Sort by name and number: rank10 comes after rank9."""
    return sorted(
        paths, key=lambda path: [int(part) if index % 2 else part for index, part in enumerate(re.split(r"(\d+)", str(path)))]
    )


def numbers_of(paths: Sequence[Path]) -> dict[Path, int]:
    """The rank's number in each name: the one after "rank", else the last one. Empty if two names share one, or one has none."""
    number_of = {}
    for path in paths:
        digits = rank_digits(path.stem) or next(reversed(re.findall(r"\d+", path.stem)), None)
        if digits and len(digits) <= RANK_DIGITS:
            number_of[path] = int(digits)
    return number_of if len(set(number_of.values())) == len(paths) else {}


def rank_digits(name: str) -> str | None:
    """The digits after the last "rank" of a name."""
    return next(reversed(RANK.findall(name)), None)


def _traces(paths: Iterable[Path]) -> list[Path]:
    """Those that are traces. A report is left out if its export is there too: they are the same trace."""
    traces = [path for path in paths if path.suffix in ENDINGS or (path.is_dir() and is_parquet_export(path))]
    best: dict[str, Path] = {}
    for path in sorted(traces, key=lambda path: ENDINGS.index(path.suffix) if path.suffix in ENDINGS else len(ENDINGS)):
        best[str(path if path.is_dir() else path.with_suffix(""))] = path
    return list(best.values())
