"""What pages say, and how: the same words, numbers and colors everywhere, whatever the width of the page."""

import re

import pytest
from browser import PHONE, cells_of, needs_chromium, playwright_api, wait_for_tables
from click.testing import CliRunner
from traces import FIXTURES, diagnosis, opened
from variations import some

import gapfinder
from gapfinder.cli.main import gapfinder as program
from gapfinder.comparison import words
from gapfinder.guides import guides
from gapfinder.pipeline.glossary import glossary

expect = playwright_api().expect
pytestmark = needs_chromium
ITEM = "item_broken"
SIDES = [FIXTURES / f"item_{side}.sqlite" for side in ("broken", "fixed")]


def run(*arguments):
    done = CliRunner().invoke(program, [str(argument) for argument in arguments])
    assert done.exit_code == 0, done.output


def drawn(page):
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return {name: float(value) for name, value in page.evaluate("({...document.getElementById('tracks').dataset})").items()}


def test_the_title_says_what_the_headline_says(browser, report_of, job_file, comparison_file):
    for file in (report_of(ITEM), job_file, comparison_file):
        page, _ = browser.open(file)
        assert page.title().startswith(page.inner_text("h1"))


def test_a_click_in_the_headline_bar_is_one_in_the_table(browser, report_of):
    page, _ = browser.open(report_of(ITEM))
    page.locator(".mean span", has_text="launch_bound").click()
    expect(page.locator("tr[data-cause=launch_bound] button")).to_have_attribute("aria-pressed", "true")
    assert page.inner_text("#causes article:not([hidden]) h2") == "launch_bound"
    page.locator(".mean span", has_text="launch_bound").click()
    expect(page.locator("tr[data-cause=launch_bound] button")).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize("size", some(1, [[1400, 900], [800, 900], [400, 800]]))
def test_no_number_is_parted_from_its_unit(browser, report_of, size):
    page, _ = browser.open(report_of(ITEM), "#step=3&gap=1", size=size)
    lines = "[...document.querySelectorAll('.unbroken')].filter(one => one.getClientRects().length > 1).length"
    assert page.locator(".unbroken").count() > 20
    assert page.evaluate(lines) == 0
    loose = "[...document.querySelectorAll('p, li, h1, h3')].flatMap(one => [...one.childNodes])"
    texts = page.evaluate(f"{loose}.filter(node => node.nodeType === 3).map(node => node.data)")
    assert [text for text in texts if re.search(r"\d (ms|us|ns|s|%)(\W|$)", text)] == []


def test_before_and_after_are_those_of_sql(browser, report_of):
    """What ran before the gap, and what ran after it."""
    page, _ = browser.open(report_of(ITEM), "#step=3")
    heads = page.locator("#gaps > .scroll:first-child thead th").all_inner_texts()
    gaps = opened(FIXTURES / f"{ITEM}.sqlite").rows("SELECT * FROM page_places WHERE step = 3 AND number <= 8 ORDER BY number")
    rows = cells_of(page, "#gaps > .scroll:first-child tbody")
    for gap, cells in zip(gaps, rows, strict=True):
        shown = dict(zip(heads, cells, strict=True))
        assert (shown["before"], shown["after"]) == (gap["before"], gap["after"])


def test_words_lead_to_the_glossary_of_the_page(browser, report_of):
    page, _ = browser.open(report_of(ITEM))
    word = page.locator("#causes .word", has_text="replay").first
    assert word.get_attribute("title") == glossary()["replay"]
    word.click()
    assert page.locator("#glossary").evaluate("one => one.open")
    expect(page.locator("#word-replay")).to_be_focused()
    expect(page.locator("#word-replay")).to_be_in_viewport()


def test_every_guide_is_in_the_page(browser, report_of):
    page, seen = browser.open(report_of(ITEM), "#step=3")
    page.locator("#guides > summary").click()
    assert page.locator("#guides details > summary").all_inner_texts() == [guide.title for guide in guides()]
    page.locator("#guide-whatif").click()
    page.locator("#guides a[href='#guide-replay']").first.click()
    expect(page.locator("#guide-replay")).to_be_in_viewport()
    assert page.locator("#guide-replay").evaluate("one => one.parentElement.open")
    page.locator("#guide-replay + p").wait_for()
    page.locator("#guide-decisions").click()
    page.locator("#guides a[href='#glossary']:visible").first.click()
    assert page.locator("#glossary").evaluate("one => one.open")
    assert page.evaluate("location.hash").startswith("#step=3")
    assert seen.nothing, seen


def test_evidence_leads_to_its_place(browser, report_of):
    page, _ = browser.open(report_of(ITEM))
    fact = next(fact for fact in diagnosis(FIXTURES / f"{ITEM}.sqlite").causes[0].evidence if fact.start_ns is not None)
    page.locator("#causes article:not([hidden]) a", has_text=fact.text).first.click()
    start_ns = opened(FIXTURES / f"{ITEM}.sqlite").rows("SELECT start_ns FROM analysed_time")[0]["start_ns"]
    shown = drawn(page)
    assert shown["from"] <= fact.start_ns - start_ns
    assert shown["to"] >= fact.end_ns - start_ns


def test_a_line_is_set_off_in_its_sentence(browser, report_of):
    page, _ = browser.open(report_of("tensor_parallel"))
    facts = [fact for fact in diagnosis(FIXTURES / "tensor_parallel.sqlite").causes[0].evidence if fact.source_line]
    shown = page.locator("#causes article:not([hidden]) li:has(button.line)")
    assert shown.all_inner_texts() == [fact.text for fact in facts]
    assert shown.locator("button").all_inner_texts() == [fact.source_line for fact in facts]


def test_evidence_of_a_job_leads_to_its_place(browser, job_file):
    page, seen = browser.open(job_file)
    before = drawn(page)
    links = page.locator("#change a[href^='#at=']")
    assert links.count() > 0
    links.first.click()
    shown = drawn(page)
    assert (shown["from"], shown["to"]) != (before["from"], before["to"])
    length = float(re.search(r"s: ([\d.]+) ms", links.first.inner_text())[1])
    assert page.inner_text("#measured h3") == f"{length:.1f} ms selected"
    assert seen.nothing


def test_ranks_of_a_job_stand_on_one_clock(browser, job_file):
    """All rows of both ranks, flags where one is late, and both strips of lost time."""
    page, _ = browser.open(job_file)
    heads = [head.strip("▾▸") for head in page.locator(".fold", has_text="GPU").all_inner_texts()]
    assert heads == ["rank 0, GPU 0", "rank 1, GPU 1"]
    flags = "document.querySelector('.marks').getContext('2d').getImageData(0, 0, 4000, 900).data.some(Boolean)"
    assert page.evaluate(flags)


def test_both_sides_of_a_comparison_stand_at_one_scale(browser, comparison_file):
    page, seen = browser.open(comparison_file)
    heads = [head.strip("▾▸") for head in page.locator(".fold", has_text="GPU").all_inner_texts()]
    assert heads == ["before, GPU 0", "after, GPU 0"]
    shown = drawn(page)
    typical = opened(SIDES[0]).rows("SELECT median(end_ns - start_ns) AS ns FROM page_steps")[0]["ns"]
    assert shown["to"] - shown["from"] == pytest.approx(typical, rel=0.1)
    assert seen.nothing


@pytest.mark.thorough
def test_causes_in_a_comparison_have_their_color(browser, comparison_file):
    page, _ = browser.open(comparison_file)
    pair = gapfinder.compare(*SIDES, window="4..17")
    assert page.inner_text("#bottleneck") == words.bottleneck(pair)
    marked = page.locator("#bottleneck mark").all_inner_texts()
    assert marked == ["host_sync", "launch_bound"]
    colors = page.locator("#bottleneck mark").evaluate_all("all => all.map(one => getComputedStyle(one).textDecorationColor)")
    swatches = [page.locator("#ledger tr", has_text=cause).locator(".swatch") for cause in marked]
    assert colors == [swatch.evaluate("one => getComputedStyle(one).backgroundColor") for swatch in swatches]


def test_a_step_has_the_same_number_on_every_page(browser, comparison_file, tmp_path):
    run("report", SIDES[0], "--window", "4..17", "-o", tmp_path / "report.html")
    report, _ = browser.open(tmp_path / "report.html")
    comparison, _ = browser.open(comparison_file)
    numbers = []
    for page in (report, comparison):
        page.click("#steps summary")
        wait_for_tables(page)
        numbers.append([cells[0] for cells in cells_of(page, "#steps tbody")])
    whole = [
        f"{row['step']}" for row in opened(SIDES[0]).rows("SELECT step FROM steps WHERE step BETWEEN 4 AND 17 ORDER BY step")
    ]
    assert numbers[0] == whole
    assert set(numbers[1]) <= set(whole)
    assert numbers[1][-1] == whole[-1]


@pytest.mark.parametrize("kind", ["trace", "job", "comparison"])
def test_it_fits_a_phone_and_paper(browser, report_of, job_file, comparison_file, kind):
    file = {"trace": report_of(ITEM), "job": job_file, "comparison": comparison_file}[kind]
    page, _ = browser.open(file, size=PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert not page.is_visible("#search")
    assert page.is_visible("#tracks")
    assert page.locator("#tracks canvas").first.evaluate("one => one.width > 0")
