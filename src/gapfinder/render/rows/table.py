"""A table for a person: numbers to the right, NULL visible, and no more rows and columns than one can look at."""

from itertools import accumulate

import polars as pl
from rich.table import Table
from rich.text import Text

from gapfinder.render.terminal import shown
from gapfinder.units import as_text, clean, clean_text, count

TEXT = True
MOST_ROWS = 1000
NARROWEST = 12  # of a column of text that gives way to others, in characters
SPACE = 2  # between columns
UNBOUND = 1_000_000  # characters in a line where no terminal bounds it


def render(frame: pl.DataFrame, *, width: int | None, color: bool) -> bytes:
    """The first 1,000 rows, and in a terminal the columns that fit; what is left out is said below them."""
    if frame.columns == ["explain_key", "explain_value"]:
        return "".join(f"{clean_text(line)}\n" for text in frame["explain_value"] for line in text.splitlines()).encode()
    rows = [[None if value is None else clean(as_text(value)) for value in row] for row in frame.head(MOST_ROWS).iter_rows()]
    names = [clean(name) for name in frame.columns]
    widths = [max([len(name), *(len(row[place] or "NULL") for row in rows)]) for place, name in enumerate(names)]
    numbers = [dtype.is_numeric() for dtype in frame.dtypes]
    narrowest = [own if number else min(NARROWEST, own) for own, number in zip(widths, numbers, strict=True)]
    fitting = len(names) if width is None else _fitting(narrowest, width)

    table = Table(box=None, padding=(0, SPACE, 0, 0), pad_edge=False, header_style="bold")
    for name, number, least in list(zip(names, numbers, narrowest, strict=True))[:fitting]:
        table.add_column(
            Text(name), justify="right" if number else "left", no_wrap=True, overflow="ellipsis",
            min_width=least,
        )  # fmt: skip
    for row in rows:
        table.add_row(*(Text("NULL", style="dim") if value is None else Text(value) for value in row[:fitting]))
    text = shown([table], width=width or UNBOUND, color=color)
    return "\n".join([text, *_left_out(frame, names[fitting:])]).encode()


def _fitting(widths: list[int], width: int) -> int:
    """How many columns fit, the first in any case."""
    ends = accumulate(own + SPACE for own in widths)
    return max(1, sum(end - SPACE <= width for end in ends))


def _left_out(frame: pl.DataFrame, columns: list[str]) -> list[str]:
    said = []
    if frame.is_empty():
        said.append("no rows\n")
    if more := max(0, frame.height - MOST_ROWS):
        said.append(f"{count(more, 'row')} more: ask for fewer with LIMIT, or for all with another format\n")
    if columns:
        said.append(f"{count(len(columns), 'column')} more: {', '.join(columns)}\n")
    return said
