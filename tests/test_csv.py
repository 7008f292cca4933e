"""CSV: what a spreadsheet or a terminal would run stays text, and the rest stays as it is."""

import io

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from gapfinder.system.csv import as_csv

TEXTS = st.lists(st.text(st.characters(codec="utf-8")) | st.none(), min_size=1)


@given(TEXTS)
def test_no_cell_is_a_formula_or_a_control_character(texts):
    frame = pl.DataFrame({"=name": texts, "n": range(len(texts))}, schema={"=name": pl.String, "n": pl.Int64})
    read = pl.read_csv(io.BytesIO(as_csv(frame)), schema={"'=name": pl.String, "n": pl.Int64}, missing_utf8_is_empty_string=False)
    assert read["n"].to_list() == frame["n"].to_list()
    for before, after in zip(texts, read["'=name"], strict=True):
        shown = after or ""
        assert not shown.startswith(("=", "+", "-", "@", "\t", "\r"))
        assert all(character.isprintable() or character in "\xa0 " or not character.isascii() for character in shown)
        if before and before.isascii() and before.isprintable() and before[0] not in "=+-@":
            assert after == before


def test_numbers_and_lists_stay():
    frame = pl.DataFrame({"n": [-1, 2], "x": [-0.5, None], "list": [[-1], []]})
    assert as_csv(frame) == b"n,x,list\n-1,-0.5,[-1]\n2,,[]\n"
