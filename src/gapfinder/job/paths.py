"""Which traces a path means: one, those of a folder, or those that fit a pattern."""

import re
from collections.abc import Iterable
from pathlib import Path

from gapfinder.ingest.converted import is_folder

ENDINGS = (".nsys-rep", ".sqlite", ".duckdb")


def expanded(path: Path) -> list[Path]:
    """The traces of a job, in the order of the numbers in their names; a path that is one trace, or none, by itself."""
    if path.is_dir() and not is_folder(path) and not any(path.glob("*.parquet")):
        found = [file for file in path.iterdir() if file.suffix in ENDINGS or (file.is_dir() and any(file.glob("*.parquet")))]
        return in_order(_once(found)) or [path]
    if not path.exists() and re.search(r"[*?\[]", str(path)):
        return in_order(Path(path.anchor or ".").glob(str(path.relative_to(path.anchor)))) or [path]
    return [path]


def in_order(paths: Iterable[Path]) -> list[Path]:
    """By name, with rank10 after rank9."""
    return sorted(paths, key=lambda path: [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", str(path))])


def _once(paths: Iterable[Path]) -> list[Path]:
    """A report and its export are one trace; the export is there already."""
    best: dict[str, Path] = {}
    for path in sorted(paths, key=lambda path: ENDINGS.index(path.suffix) if path.suffix in ENDINGS else len(ENDINGS)):
        best[path.stem] = path
    return list(best.values())
