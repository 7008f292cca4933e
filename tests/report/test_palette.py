"""The colors of the causes, in Python and on a page."""

import re

import pytest
from browser import needs_chromium

from gapfinder.report.page import PAGE
from gapfinder.report.palette import palette, theme


def test_a_color_is_written_in_six_digits():
    """As scripts read it, which choose black or white text for it."""
    colors = [color for pair in palette().values() for color in pair]
    assert all(re.fullmatch("#[0-9a-f]{6}", color) for color in colors)
    assert len(set(colors)) == len(colors)


def test_an_own_cause_gets_a_color_that_no_other_cause_has():
    known = palette()
    found = {
        cause["id"]: (cause["color"], cause["color_dark"])
        for cause in theme(["compute", "host_sync", "own_b", "own_a"])["causes"]
    }
    own = [found.pop("own_a"), found.pop("own_b")]
    assert found == known
    assert len({*own, *known.values()}) == len(known) + 2


def test_an_own_cause_keeps_its_color_whatever_the_order():
    assert theme(["own_a", "own_b"]) == theme(["own_b", "own_a"])


@pytest.mark.parametrize("kind", ["js", "css"])
def test_the_page_names_no_cause(kind):
    """But for those whose name is also that of an activity or a state, which is one word."""
    text = "".join(file.read_text() for file in (PAGE / kind).iterdir())
    assert [cause for cause in palette() if "_" in cause and re.search(rf"\b{cause}\b", text)] == []


@needs_chromium
@pytest.mark.parametrize(("place", "chosen"), [(0, "light"), (1, "dark")])
def test_a_cause_is_drawn_in_its_color(browser, report_of, place, chosen):
    page, seen = browser.open(report_of("pysample_item"), theme=chosen)
    drawn = page.locator("tr[data-cause=host_sync] .swatch").evaluate("swatch => getComputedStyle(swatch).backgroundColor")
    color = palette()["host_sync"][place]
    assert drawn == f"rgb({', '.join(str(int(color[digit : digit + 2], 16)) for digit in (1, 3, 5))})"
    assert seen.nothing
