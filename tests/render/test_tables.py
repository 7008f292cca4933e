"""A table hides no number, however narrow it is."""

import pytest

from gapfinder.render.terminal import table, to_text

NAME, NUMBERS = "nvjet_sm90_tst_256x128_64x4_1x2_h_bz_coopA_NNT", ("3.37 ms", "31.8 us", "6,466")


@pytest.mark.parametrize("width", range(44, 120))
def test_names_are_shortened_and_numbers_are_not(width):
    shown = table("Kernels", ("per validation", "right"), ("each", "right"), ("times per validation", "right"))
    shown.add_row(NAME, *NUMBERS)
    lines = to_text([shown], width=width, color=False).splitlines()
    assert max(map(len, lines)) <= width
    *heads, row = lines
    assert all(number in row for number in NUMBERS)
    assert row.startswith(NAME[:11])
    assert {"per", "validation", "each", "times"} <= set(" ".join(heads).split())
