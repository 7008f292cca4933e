"""The files of a fleet, and which of them can be read: one that is damaged is left out, and stops nothing."""

import re
from collections.abc import Callable, Mapping, Sequence
from glob import escape
from pathlib import Path
from typing import Any, TypeVar

import duckdb
import polars as pl
from polars.exceptions import PolarsError

from gapfinder.fleet.aligned_row import ALIGNED_COLUMNS
from gapfinder.fleet.row import COLUMNS
from gapfinder.ingest.names import check_utf8
from gapfinder.ingest.nsys.load import BOUND
from gapfinder.pipeline.limits import FIRST_START_NS, LAST_START_NS

ALIGNED = "aligned.parquet"  # in the folder of a job: see align.py
NO_RANK = "__HIVE_DEFAULT_PARTITION__"  # how Hive and readers of its partitions write NULL
READ_WHOLE = "SELECT max(hash(t)) FROM read_parquet($1, hive_partitioning = false) AS t"
SINCE_1970 = {"started_utc_ns", "started_ns"}  # columns in ns since 1970


def _within(columns: Mapping[str, Any], row: str = "") -> str:
    """The condition that the numbers of these columns, and of the rows in them, are finite and as large as those of a trace."""
    conditions = []
    for name, kind in columns.items():
        column = f"{row}{name}"
        if kind == pl.Int64:
            least, most = (FIRST_START_NS, LAST_START_NS) if name in SINCE_1970 else (-BOUND, BOUND)
            conditions.append(f"coalesce({column} BETWEEN {least} AND {most}, true)")
        elif kind == pl.Float64:
            conditions.append(f"coalesce(isfinite({column}), true)")
        elif isinstance(kind, pl.List) and isinstance(kind.inner, pl.Struct):
            of_each = _within({field.name: field.dtype for field in kind.inner.fields}, "r.")
            conditions.append(f"len(list_filter(coalesce({column}, []), lambda r: NOT ({of_each}))) = 0")
    return " AND ".join(conditions)


# What a row holds of a trace that could be read; another program may have written it.
SOUND = f"""
    trace IS NOT NULL AND {_within(COLUMNS)} AND (error IS NOT NULL OR coalesce(
        len(devices) > 0 AND len(list_filter(devices, lambda d: coalesce(d.window_ns, 0) <= 0)) = 0
        AND step_ns IS NOT NULL AND verdict IS NOT NULL AND window_start_ns <= window_end_ns
        AND ledger IS NOT NULL AND causes IS NOT NULL AND step_totals IS NOT NULL AND step_ledger IS NOT NULL
        AND (len(coalesce(rank_gpus, [])) = 0 OR (rank_collectives IS NOT NULL AND rank_kernels IS NOT NULL)),
        false
    ))
"""
_PLACE = re.compile(rf"job=[^/]*/rank=(?:\d{{1,9}}|{NO_RANK})/[^/]+\.parquet")
Result = TypeVar("Result")


def files_in(folder: Path) -> list[Path]:
    """The files of the traces of a fleet, whether or not they can be read. Raises TraceError if DuckDB cannot open the folder."""
    check_utf8(folder)
    return sorted(folder.glob("job=*/rank=*/*.parquet"))


def aligned_in(folder: Path, job: str = "job=*") -> list[str]:
    """The names of the files of aligned jobs that can be read; by default of all jobs. The next run writes the others again."""
    return _names([file for file in sorted(folder.glob(f"{job}/{ALIGNED}")) if _is_readable(file, ALIGNED_COLUMNS)])


def read_sound(files: Sequence[Path], read: Callable[[list[str]], Result]) -> tuple[Result, list[Path]]:
    """What `read` gives for the names of those files that can be read, and the other files.

    Raises duckdb.Error where it fails for sound files, too.
    """
    good = [file for file in files if _PLACE.fullmatch("/".join(file.parts[-3:])) and file.is_file()]
    try:
        _check_rows(good)
        return read(_names(good)), [file for file in files if file not in good]
    except duckdb.OutOfMemoryException:
        raise
    except duckdb.Error:
        good = [file for file in good if _is_sound(file)]
        return read(_names(good)), [file for file in files if file not in good]


def _names(files: Sequence[Path]) -> list[str]:
    return [escape(str(file)) for file in files]


def _check_rows(files: Sequence[Path]) -> None:
    """Raise duckdb.InvalidInputException unless each of these files has one row, which holds what the row of a trace does."""
    if not files:
        return
    with duckdb.connect() as connection:
        found = f"SELECT count(*), count(DISTINCT filename), count_if({SOUND}) FROM read_parquet($1, filename = true)"
        if set(connection.execute(found, [_names(files)]).fetchall()[0]) != {len(files)}:
            raise duckdb.InvalidInputException("a file has not the one row of a trace")


def _is_sound(file: Path) -> bool:
    """Whether a file has the columns and the values of a row, and can be read to its end."""
    try:
        if not _is_readable(file, COLUMNS):
            return False
        _check_rows([file])
    except duckdb.Error:
        return False
    return True


def _is_readable(file: Path, columns: Mapping[str, Any]) -> bool:
    """Whether a file has these columns, of these types, and can be read to its end."""
    if not file.is_file():  # a pipe has no end
        return False
    try:
        if dict(pl.read_parquet_schema(file)) != columns:
            return False
        with duckdb.connect() as connection:
            connection.execute(READ_WHOLE, _names([file])).fetchall()
    except (OSError, PolarsError, duckdb.Error):
        return False
    return True
