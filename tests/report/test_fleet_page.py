"""The page of a fleet in a real browser."""

import pytest
from browser import PHONE, cells_of, needs_chromium, playwright_api, wait_for_tables
from pages import EVIL

from gapfinder.fleet.folder import FleetFolder
from gapfinder.fleet.open import open_fleet
from gapfinder.fleet.row import as_parquet
from gapfinder.fleet.traces import FleetTrace
from gapfinder.report.fleet import page_of
from gapfinder.units import duration, percent

expect = playwright_api().expect
pytestmark = needs_chromium
MS = 1_000_000
RANKS, STEPS = 1000, 40
SLOW, HICCUP = 17, (5, 12)  # a rank that is slow, and a rank and step that lost most


def row(rank, steps):
    """A rank whose steps take 10 ms, of which 3 are lost to host_sync; the slow one loses 6."""
    lost = [6 * MS if rank == SLOW else 3 * MS + rank % 7 * 1000] * steps
    if rank == HICCUP[0]:
        lost[HICCUP[1]] = 8 * MS
    window, all_lost = 10 * MS * steps, sum(lost)
    cause = {
        "place": 1,
        "cause": "host_sync",
        "lost_ns": all_lost,
        "share": all_lost / window,
        "segments": steps,
        "is_finding": True,
    }
    return {
        "started_utc_ns": 1_780_272_000_000_000_000,
        "window_start_ns": 0,
        "window_end_ns": window,
        "steps": steps,
        "step_ns": 10.0 * MS,
        "verdict": "host_sync",
        "devices": [{"gpu": 0, "name": "H200", "window_ns": window, "compute_ns": window - all_lost}],
        "ledger": [{"gpu": 0, "cause": "host_sync", "lost_ns": all_lost, "segments": steps, "named_ns": 0, "inferred_ns": 0}],
        "step_totals": [
            {"step": step, "gpu": 0, "start_ns": 10 * MS * step, "length_ns": 10 * MS, "compute_ns": 10 * MS - ns}
            for step, ns in enumerate(lost)
        ],
        "step_ledger": [{"step": step, "gpu": 0, "cause": "host_sync", "lost_ns": ns} for step, ns in enumerate(lost)],
        "causes": [cause],
    }


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A fleet of a job with a thousand ranks, one with four, and a trace that cannot be read."""
    fleet = FleetFolder(tmp_path_factory.mktemp("fleet") / "kept")
    for job, ranks, steps in (("large", RANKS, STEPS), (EVIL, 4, 3)):
        for rank in range(ranks):
            trace = FleetTrace(f"{job}/rank{rank}", f"file:///{job}/rank{rank}", 1, "", job, rank)
            fleet.write(trace, as_parquet({"trace": trace.name, **row(rank, steps)}))
    bad = FleetTrace("bad", "file:///bad", 1, "", "large", None)
    fleet.write(bad, as_parquet({"trace": "bad", "error": f"bad is empty {EVIL}"}))
    return fleet.folder


@pytest.fixture(scope="module")
def file(kept):
    with open_fleet(kept) as fleet:
        (kept / "fleet.html").write_text(page_of(fleet))
    return kept / "fleet.html"


@pytest.fixture(scope="module")
def reader(browser, file):
    page, seen = browser.open(file)
    yield page
    assert seen.nothing, seen
    assert page.title() != "pwned"


def test_a_thousand_ranks_are_small(file):
    assert file.stat().st_size < 3_000_000


def test_its_figures_are_those_of_the_fleet(reader, kept):
    with open_fleet(kept) as fleet:
        causes = fleet.rows("SELECT * FROM fleet_causes")
        jobs = fleet.rows("SELECT * FROM jobs")
        outliers = fleet.rows("SELECT * FROM outlier_ranks")
    assert reader.inner_text("h1").startswith(f"{percent(causes[1]['share'])} of the GPU time of 1,004 traces of 2 jobs is lost")
    assert [cells[:2] for cells in cells_of(reader, "#ledger tbody")] == [[row["cause"], percent(row["share"])] for row in causes]
    assert [cells[:2] for cells in cells_of(reader, "#jobs tbody")] == [[row["job"], f"{row['traces']:,}"] for row in jobs]
    found = cells_of(reader, "#outliers tbody")
    assert [(cells[0], cells[3]) for cells in found] == [(str(row["rank"]), duration(row["per_step_ns"])) for row in outliers]
    assert {cells[0] for cells in found} == {str(SLOW)}
    assert cells_of(reader, "#bad tbody") == [["bad", "large", f"bad is empty {EVIL}"]]


def test_tables_are_behind_the_charts(reader):
    for summary in reader.locator("summary", has_text="table").all():
        summary.click()
    wait_for_tables(reader)
    days = cells_of(reader, "#days tbody")
    assert [cells[:2] for cells in days] == [["2026-06-01", "1,004"]]
    ranks, lost = (cells_of(reader, f"#ranks {part} tbody") for part in ("> div:not(#heat) details", "#heat"))
    assert len(ranks) == len(lost) == RANKS
    assert ranks[SLOW] == [f"rank {SLOW}", "10.0 ms", "4.00 ms", "6.00 ms"]
    assert lost[HICCUP[0]][0] == f"rank {HICCUP[0]}"
    assert lost[HICCUP[0]] == [f"rank {HICCUP[0]}", "3.00 ms", "8.00 ms", f"step {HICCUP[1]}"]


def test_pointing_at_the_heat_map_says_what_it_is(reader):
    canvas = reader.locator("#heat canvas")
    width = canvas.bounding_box()["width"]
    canvas.hover(position={"x": width * (HICCUP[1] + 0.5) / STEPS, "y": HICCUP[0] + 0.5})
    expect(reader.locator(".tip")).to_have_text(f"rank {HICCUP[0]}, step {HICCUP[1]}: 8.00 ms lost")


def test_another_job(reader):
    reader.select_option("#job", label=EVIL)
    assert reader.evaluate("document.querySelector('#heat canvas').height") == 4
    assert reader.url.endswith("#job=1")


def test_both_themes(browser, file):
    ink = "document.querySelector('#heat canvas').toDataURL()"
    light, _ = browser.open(file, theme="light")
    dark, seen = browser.open(file, theme="dark")
    before = light.evaluate(ink)
    assert dark.evaluate(ink) != before
    dark.select_option("#theme", "light")
    assert dark.evaluate(ink) == before
    assert seen.nothing


def test_a_phone_shows_all_of_its_width(browser, file):
    page, _ = browser.open(file, size=PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
