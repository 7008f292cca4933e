"""Columns of values for a terminal, side by side or one below the other. None is hidden in silence, and no number is cut."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from textwrap import fill
from typing import TYPE_CHECKING

import polars as pl
from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from gapfinder.render.terminal import to_text
from gapfinder.units import as_text, clean, clean_text, count

if TYPE_CHECKING:
    from rich.console import JustifyMethod, RenderableType

SPACE = 2  # columns of the terminal between two columns of a table
MIN_TEXT_WIDTH = 12  # columns of the terminal for a text that is shortened
SCREEN = 40  # lines: so few are shown one below the other where they do not fit side by side
UNLIMITED = 1_000_000  # columns of the terminal if there is none


@dataclass(frozen=True)
class Column:
    """A column of a result. `values` are texts, None for NULL. Only `is_text` may be shortened."""

    name: str
    values: list[str | None]
    is_number: bool = False
    is_text: bool = False

    @cached_property
    def width(self) -> int:
        """The width in which nothing is cut."""
        return max(cell_len(each) for each in (self.name, *map(_shown, self.values)))

    @cached_property
    def min_width(self) -> int:
        """The width below which it is not shown: a text may be shortened, its name and all else may not."""
        return min(self.width, max(MIN_TEXT_WIDTH, cell_len(self.name))) if self.is_text else self.width


def columns_of(frame: pl.DataFrame, *, whole: bool = False) -> list[Column]:
    """The columns of a frame. Values of more than 200 characters are cut, unless they are wanted `whole`."""
    written = clean_text if whole else clean
    return [
        Column(clean(each.name), _texts(each, written), is_number=each.dtype.is_numeric(), is_text=_is_text(each.dtype))
        for each in frame.iter_columns()
    ]


def side_by_side(columns: list[Column], *, width: int | None, color: bool) -> str:
    """A table. Where it is too wide, texts are shortened, then columns are left out, and a line below says which.

    A short result of which a column would be left out is shown one value below the other instead.
    """
    fitting = columns if width is None else _fitting(columns, width)
    rows = len(columns[0].values) if columns else 0
    if not fitting or (len(fitting) < len(columns) and rows * (len(columns) + 1) <= SCREEN):
        return one_below_another(columns, width=width, color=color)
    table = Table(box=None, padding=(0, SPACE, 0, 0), pad_edge=False, header_style="bold")
    for column, fixed in zip(fitting, _widths(fitting, width or UNLIMITED), strict=True):
        justify: JustifyMethod = "right" if column.is_number else "left"
        table.add_column(Text(column.name), justify=justify, no_wrap=True, overflow="ellipsis", width=fixed)
    for row in zip(*(column.values for column in fitting), strict=True):
        table.add_row(*map(_cell, row))
    text = to_text([table], width=width or UNLIMITED, color=color)
    if left_out := [column.name for column in columns[len(fitting) :]]:
        more = f"{count(len(left_out), 'column')} more: {', '.join(left_out)}. -x shows them, or .mode vertical in the shell."
        text += f"\n{fill(more, width or UNLIMITED, break_long_words=False, break_on_hyphens=False)}\n"
    return text


def one_below_another(columns: list[Column], *, width: int | None, color: bool) -> str:
    """Each row as lines with a name and a value, under a line with its number. Texts are wrapped, and nothing is cut.

    Where not even a name fits beside its number, lines are longer than `width`: the terminal wraps them.
    """
    rows = list(zip(*(column.values for column in columns), strict=True))
    names = max((cell_len(column.name) for column in columns), default=0)
    least = names + SPACE + max((column.min_width for column in columns), default=0)
    parts: list[RenderableType] = []
    for number, row in enumerate(rows, 1):
        parts.append(Text(f"row {number:,} of {len(rows):,}", style="dim"))
        lines = Table(box=None, padding=(0, SPACE, 0, 0), pad_edge=False, show_header=False)
        lines.add_column(justify="right", no_wrap=True, style="bold", width=names)
        lines.add_column(overflow="fold")
        for column, value in zip(columns, row, strict=True):
            lines.add_row(Text(column.name), _cell(value))
        parts.append(lines)
    return to_text(parts, width=max(width or UNLIMITED, least), color=color)


def _fitting(columns: list[Column], width: int) -> list[Column]:
    """The first columns that fit, with their texts as short as they may be."""
    end = -SPACE
    for number, column in enumerate(columns):
        end += SPACE + column.min_width
        if end > width:
            return columns[:number]
    return columns


def _widths(columns: list[Column], width: int) -> list[int]:
    """The width of each column, so that all of them fit. The longest texts are shortened, and none more than it has to be."""
    free = width - SPACE * (len(columns) - 1)
    limit = max((column.width for column in columns), default=0)
    wanted = [(column.min_width, column.width) for column in columns]
    while limit > MIN_TEXT_WIDTH and sum(max(least, min(full, limit)) for least, full in wanted) > free:
        limit -= 1
    return [max(least, min(full, limit)) for least, full in wanted]


def _texts(series: pl.Series, written: Callable[[str], str]) -> list[str | None]:
    if series.dtype == pl.Datetime("ns"):  # times of Python have no ns
        series = series.dt.to_string("%F %T%.9f")
    return [None if value is None else written(as_text(value)) for value in series.to_list()]


def _is_text(dtype: pl.DataType) -> bool:
    return not (dtype.is_numeric() or dtype.is_temporal())


def _cell(value: str | None) -> Text:
    return Text("NULL", style="dim") if value is None else Text(value)


def _shown(value: str | None) -> str:
    return "NULL" if value is None else value
