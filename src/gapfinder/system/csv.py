"""Rows as CSV that is safe to open: no text of a trace is a formula to a spreadsheet, or a control character to a terminal."""

import polars as pl

from gapfinder.units import as_text, clean_text

# With these, or their wide forms, a spreadsheet takes a cell for a formula, some of them also behind white space. An apostrophe
# before it says that it is text, and is not shown.
FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
TEXT_MARK = "'"


def as_csv(frame: pl.DataFrame, *, header: bool = True) -> bytes:
    """The header, unless it is not wanted, and the rows, in UTF-8. Lists and structs are JSON, and NULL is empty."""
    texts = [column for column in frame.iter_columns() if not _is_plain(column.dtype)]
    columns = (pl.Series(column.name, [_cell(value) for value in column.to_list()], pl.String) for column in texts)
    named = frame.with_columns(columns)
    return named.rename({name: _cell(name) or "" for name in frame.columns}).write_csv(include_header=header).encode()


def _is_plain(kind: pl.DataType) -> bool:
    """Whether values of this type hold no text."""
    return kind.is_numeric() or kind.is_temporal() or kind in {pl.Boolean, pl.Null}


def _cell(value: object) -> str | None:
    if value is None:
        return None
    text = clean_text(as_text(value))
    return TEXT_MARK + text if text.lstrip().startswith(FORMULA) else text
