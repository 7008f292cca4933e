"""Rows as a table for a terminal. It marks NULL, and limits the number of rows, and of columns to those that fit."""

from collections.abc import Callable, Iterable
from typing import BinaryIO

import polars as pl

from gapfinder.render.columns import columns_of, side_by_side
from gapfinder.units import clean_text, count

TEXT, COUNTED, WHOLE = True, True, False
MAX_ROWS = 1000


def write(frames: Iterable[pl.DataFrame], file: BinaryIO, *, width: int | None, color: bool) -> None:
    """The first 1,000 rows, with all columns or those that fit into the terminal. Lines below say what is left out."""
    write_first(frames, file, width, lambda frame: side_by_side(columns_of(frame), width=width, color=color))


def write_first(frames: Iterable[pl.DataFrame], file: BinaryIO, width: int | None, layout: Callable[[pl.DataFrame], str]) -> None:
    """Write the first 1,000 rows, as `layout` shows them, or the plan that EXPLAIN shows. A line below says what is left out."""
    frame, more = _first_rows(frames)
    file.write((_plan(frame) if is_plan(frame) else layout(frame)).encode())
    file.write(_more_rows(frame, more, width).encode())


def _first_rows(frames: Iterable[pl.DataFrame]) -> tuple[pl.DataFrame, int]:
    """The first 1,000 rows, and how many more there are."""
    kept: list[pl.DataFrame] = []
    shown, more = 0, 0
    for part in frames:
        if not kept or shown < MAX_ROWS:
            kept.append(part.head(MAX_ROWS - shown))
            shown += kept[-1].height
            more += part.height - kept[-1].height
        else:
            more += part.height
    return pl.concat(kept), more


def _plan(frame: pl.DataFrame) -> str:
    """The plan that EXPLAIN shows."""
    return "".join(f"{clean_text(line)}\n" for text in frame["explain_value"] for line in text.splitlines())


def is_plan(frame: pl.DataFrame) -> bool:
    """Whether these are not rows, but the plan that EXPLAIN shows."""
    return frame.columns == ["explain_key", "explain_value"]


def _more_rows(frame: pl.DataFrame, more: int, width: int | None) -> str:
    """What is said below the first 1,000 rows; nothing where these are all. In a terminal the number of rows is told anyway."""
    if frame.is_empty() and width is None:
        return "\nno rows\n"
    return f"\n{count(more, 'row')} more: use LIMIT, or another format to see all\n" if more else ""
