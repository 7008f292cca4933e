"""A table hides no number, however narrow it is."""

from io import BytesIO

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.text import Text
from traces import FIXTURES, opened
from variations import some

from gapfinder.diagnosis import tables
from gapfinder.render.diagnosis import text as diagnosis_text
from gapfinder.render.rows import table as rows_table
from gapfinder.render.rows import vertical as rows_vertical
from gapfinder.render.terminal import table, to_text

NAME, NUMBERS = "nvjet_sm90_tst_256x128_64x4_1x2_h_bz_coopA_NNT", ("3.37 ms", "31.8 us", "6,466")
MIN_RECORD_WIDTH = 42  # of the longest name beside the longest name or number


@pytest.mark.parametrize("width", range(44, 120))
def test_names_are_shortened_and_numbers_are_not(width):
    shown = table("Kernels", ("per validation", "right"), ("each", "right"), ("times per validation", "right"))
    shown.add_row(NAME, *NUMBERS)
    lines = to_text([shown], width=width, color=False).splitlines()
    assert max(map(len, lines)) <= width
    *heads, row = lines
    assert all(number in row for number in NUMBERS)
    assert row.startswith(NAME[:10])
    assert {"per", "validation", "each", "times"} <= set(" ".join(heads).split())


def test_names_that_begin_alike_are_cut_where_they_are_the_same():
    shown = table("Kernels", ("each", "right"))
    for tile in ("128x64", "64x64"):
        shown.add_row(Text(f"sm90_xmma_fprop_implicit_gemm_bf16bf16_bf16f32_f32_nhwc_tile{tile}_warps1"), "1 us")
    _, *rows = to_text([shown], width=60, color=False).splitlines()
    assert [row.split()[0] for row in rows] == [f"sm90_xmma_fprop_implic…c_tile{tile}_warps1" for tile in ("128x64", "64x64")]


@pytest.mark.parametrize("width", some(1, [44, 60, 80]))
def test_bars_give_way_to_the_names_and_numbers_of_a_ledger(width):
    found = opened(FIXTURES / "rank_imbalance_faulty.sqlite").diagnose()
    shown = Text.from_ansi(diagnosis_text.render(found, width=width, color=True)).plain
    assert max(map(cell_len, shown.splitlines())) <= width
    rows = {tuple(line.rstrip("█▏ ").split()) for line in shown.splitlines()}
    ledger = tables.ledger(found.compute_share, found.causes, found.window.step_ns)
    for cells in (*ledger, *tables.gpus(found).rows):
        assert tuple(" ".join(cells).split()) in rows
    assert ("█" in shown) == (width > 44)


def written(renderer, frame, width):
    file = BytesIO()
    renderer.write([frame], file, width=width, color=False)
    return file.getvalue().decode()


WORDS = st.text("abc üβ語_", max_size=60)
ANSWERS = st.integers(1, 8).flatmap(
    lambda rows: st.lists(
        st.tuples(
            st.text("abcdefgh_", min_size=1, max_size=20),
            st.one_of(
                st.lists(st.none() | st.integers(-(10**15), 10**15), min_size=rows, max_size=rows),
                st.lists(st.none() | WORDS, min_size=rows, max_size=rows),
            ),
        ),
        min_size=1, max_size=12, unique_by=lambda column: column[0],
    )
)  # fmt: skip


@given(ANSWERS, st.integers(20, 160))
def test_rows_hide_no_column_and_no_number(answer, width):
    frame = pl.DataFrame([pl.Series(name, values, strict=True) for name, values in answer])
    text = written(rows_table, frame, width=width)
    assert max(map(cell_len, text.splitlines())) <= max(width, MIN_RECORD_WIDTH)
    shown, _, left_out = " ".join(text.split()).partition(" more: ")
    hidden = set(left_out.partition(". -x shows")[0].split(", "))
    for name in set(frame.columns) - hidden:
        assert name in shown
        if frame[name].dtype.is_numeric():
            assert all(str(number) in shown for number in frame[name].drop_nulls())


@pytest.mark.parametrize("sizes", [[1, 1], [0, 2, 0, 1], [400, 700, 10], [1000, 1], [3000]])
@pytest.mark.parametrize("renderer", [rows_table, rows_vertical])
def test_rows_that_come_in_parts_are_one_result(renderer, sizes):
    rows = pl.DataFrame({"n": range(sum(sizes))})
    parts = [rows.slice(sum(sizes[:number]), size) for number, size in enumerate(sizes)]
    apart, whole = BytesIO(), BytesIO()
    renderer.write(parts, apart, width=None, color=False)
    renderer.write([rows], whole, width=None, color=False)
    assert apart.getvalue() == whole.getvalue()


def test_where_no_column_fits_values_stand_below_each_other():
    frame = pl.DataFrame({"launch_start_ns": [123_456_789_012], "n": [1]})
    shown = written(rows_table, frame, width=14)
    assert "123456789012" in shown.replace("\n", "").replace(" ", "")


def test_a_long_text_is_whole_in_the_vertical_form():
    text = " ".join(f"word{number}" for number in range(100))
    lines = written(rows_vertical, pl.DataFrame({"id": [7], "text": [text]}), width=60).splitlines()
    assert lines[:2] == ["row 1 of 1", "  id  7"]
    assert max(map(len, lines)) <= 60
    assert " ".join(" ".join(lines[2:]).split()) == f"text {text}"
