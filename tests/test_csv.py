"""CSV: what a spreadsheet or a terminal would run stays text, and the rest stays as it is."""

import csv
import io

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from gapfinder.system.csv import FORMULA, as_csv


@given(
    st.lists(
        st.text(st.characters(codec="utf-8"))
        | st.sampled_from(["=cmd|'/C calc'!A0", " =1+1", "\uff1d1+1", "\x1b[2J", "-1", "a,b"]),
        min_size=1,
    )
)
def test_no_cell_is_a_formula_or_a_control_character(texts):
    frame = pl.DataFrame({"=name": texts, "n": range(len(texts))})
    (name, _), *rows = csv.reader(io.StringIO(as_csv(frame).decode(), newline=""))
    assert name == "'=name"
    for before, (after, number) in zip(texts, rows, strict=True):
        assert not after.lstrip().startswith(("=", "+", "-", "@", "\uff1d"))
        assert not any(character in after for character in "\t\r\n\x1b\x7f\x9b")
        assert texts[int(number)] == before
        if before.isascii() and before.isprintable() and not before.lstrip().startswith(FORMULA):
            assert after == before


def test_numbers_and_lists_stay():
    frame = pl.DataFrame({"n": [-1, 2], "x": [-0.5, None], "list": [[-1], []]})
    assert as_csv(frame) == b"n,x,list\n-1,-0.5,[-1]\n2,,[]\n"
