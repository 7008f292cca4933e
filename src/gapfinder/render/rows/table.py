"""Rows as a table for a terminal. It marks NULL, and limits the number of rows, and of columns to those that fit."""

from itertools import accumulate

import polars as pl
from rich.table import Table
from rich.text import Text

from gapfinder.render.terminal import to_text
from gapfinder.units import as_text, clean, clean_text, count

TEXT = True
MAX_ROWS = 1000
MIN_TEXT_WIDTH = 12  # characters of a column of text that is cut in a narrow terminal
SPACE = 2  # between columns
UNLIMITED = 1_000_000  # characters in a line if there is no terminal


def render(frame: pl.DataFrame, *, width: int | None, color: bool) -> bytes:
    """The first 1,000 rows, with all columns or those that fit into the terminal. Lines below say what is left out."""
    if frame.columns == ["explain_key", "explain_value"]:
        return "".join(f"{clean_text(line)}\n" for text in frame["explain_value"] for line in text.splitlines()).encode()
    rows = [[None if value is None else clean(as_text(value)) for value in row] for row in frame.head(MAX_ROWS).iter_rows()]
    names = [clean(name) for name in frame.columns]
    widths = [max([len(name), *(len(row[index] or "NULL") for row in rows)]) for index, name in enumerate(names)]
    numbers = [dtype.is_numeric() for dtype in frame.dtypes]
    min_widths = [full if number else min(MIN_TEXT_WIDTH, full) for full, number in zip(widths, numbers, strict=True)]
    fitting = len(names) if width is None else _count_fitting(min_widths, width)

    table = Table(box=None, padding=(0, SPACE, 0, 0), pad_edge=False, header_style="bold")
    for name, number, min_width in list(zip(names, numbers, min_widths, strict=True))[:fitting]:
        table.add_column(
            Text(name), justify="right" if number else "left", no_wrap=True, overflow="ellipsis",
            min_width=min_width,
        )  # fmt: skip
    for row in rows:
        table.add_row(*(Text("NULL", style="dim") if value is None else Text(value) for value in row[:fitting]))
    text = to_text([table], width=width or UNLIMITED, color=color)
    return "\n".join([text, *_left_out(frame, names[fitting:])]).encode()


def _count_fitting(widths: list[int], width: int) -> int:
    """The number of columns that fit, at least one."""
    ends = accumulate(column + SPACE for column in widths)
    return max(1, sum(end - SPACE <= width for end in ends))


def _left_out(frame: pl.DataFrame, columns: list[str]) -> list[str]:
    lines = []
    if frame.is_empty():
        lines.append("no rows\n")
    if more := max(0, frame.height - MAX_ROWS):
        lines.append(f"{count(more, 'row')} more: use LIMIT, or another format to see all\n")
    if columns:
        lines.append(f"{count(len(columns), 'column')} more: {', '.join(columns)}\n")
    return lines
