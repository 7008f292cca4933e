"""The page in a real browser, as its reader uses it."""

import json
import math
import re
import time
from functools import cache

import pytest
from browser import PHONE, cells_of, ink, needs_chromium, playwright_api, wait_for_tables
from synthetic import MS, US, Synthetic
from traces import FIXTURES, diagnosis, opened
from variations import some

from gapfinder.diagnosis.diagnose import diagnose
from gapfinder.report.page import bundle
from gapfinder.report.trace import page_of as written
from gapfinder.units import duration, percent

expect = playwright_api().expect
pytestmark = needs_chromium
ITEM, TWO_GPUS, NO_NVTX, GRAPH, HEALTHY = "pysample_item", "ddp_straggler_broken", "slow_producer", "cuda_graph", "healthy_gemm"
EVIL = "<img src=x onerror=\"document.title='pwned'\"></script><script>document.title='pwned'</script>"


@pytest.fixture(scope="module")
def page_of(browser, report_of):
    """The page of a fixture and what else it did, opened once for those that only look at it."""
    return cache(lambda name: browser.open(report_of(name)))


@pytest.mark.parametrize("name", some(2, [ITEM, TWO_GPUS, NO_NVTX, GRAPH, HEALTHY]))
def test_it_opens_in_silence(page_of, name):
    """No message, no error, and nobody is asked for anything."""
    page, seen = page_of(name)
    assert seen.nothing, seen
    assert page.inner_text("h1") == diagnosis(FIXTURES / f"{name}.sqlite").headline
    for canvas in ("#bars canvas", "#tracks canvas"):
        assert len(ink(page, canvas)) > 2000  # one colour takes less


@pytest.mark.parametrize("name", [ITEM, TWO_GPUS])
def test_its_ledger_is_the_ledger(page_of, name):
    page, _ = page_of(name)
    found = diagnosis(FIXTURES / f"{name}.sqlite")
    shown = {cells[0]: cells[1:3] for cells in cells_of(page, "#ledger tbody")}
    expected = {cause.cause: [duration(cause.share * found.window.step_ns), percent(cause.share)] for cause in found.causes}
    compute = sum(device.compute_ns for device in found.devices) / sum(device.window_ns for device in found.devices)
    assert shown == {"compute": [duration(compute * found.window.step_ns), percent(compute)], **expected}
    for cause, cells in {row[0]: row[3:] for row in cells_of(page, "#ledger tbody")}.items():
        if cause == "compute" or len(found.devices) == 1:
            continue
        for device, cell in zip(found.devices, cells, strict=False):
            lost = device.causes.get(cause)
            assert cell == ("" if lost is None else duration(lost / found.window.in_steps))


@pytest.mark.parametrize("name", [ITEM, TWO_GPUS])
def test_the_table_of_steps_is_the_ledger_of_each(page_of, name):
    page, _ = page_of(name)
    page.click("#steps summary")
    wait_for_tables(page)
    trace = opened(FIXTURES / f"{name}.sqlite")
    totals = trace.rows("SELECT * FROM step_totals ORDER BY gpu, step")
    lost = {(row["step"], row["gpu"], row["cause"]): row["lost_ns"] for row in trace.rows("SELECT * FROM step_ledger")}
    heads = [table.inner_text().split() for table in page.query_selector_all("#steps thead")]
    rows = cells_of(page, "#steps tbody")
    gpus = sorted({row["gpu"] for row in totals})
    for row, cells in zip(totals, rows, strict=True):
        assert cells[:3] == [str(row["step"]), duration(row["length_ns"]), duration(row["compute_ns"])]
        for cause, cell in zip(heads[gpus.index(row["gpu"])][3:], cells[3:], strict=True):
            ns = lost.pop((row["step"], row["gpu"], cause), 0)
            assert cell == (duration(ns) if ns else "")
    assert lost == {}


def test_numbers_are_written_as_in_text(browser):
    values = [0, 1, 0.5, 1.5, 2.5, 812.5, 999.4, 999.5, 1234, 9994, 9995, 99949, 99950, 999499, 999500]
    values += [4.5e6, 1e9, 12.345e9, -7750000.5]
    values += [share * 10**power for share in (1.005, 2.675, 9.995, 12.25) for power in range(10)]
    calls = f"{bundle('units.js')}\nreturn values.map(modules['units.js'].duration);"
    assert browser.blank().evaluate(f"values => {{ {calls} }}", values) == [duration(value) for value in values]


@pytest.fixture(scope="module")
def reader(browser, report_of):
    """Takes one open page to a link, as one does who has clicked it."""
    page, seen = browser.open(report_of(ITEM))

    def goes(link):
        gone = "addEventListener('hashchange', () => requestAnimationFrame(done), { once: true })"
        page.evaluate(f"link => new Promise(done => {{ {gone}; location.hash = link; }})", f"{link}&cause=")
        return page

    yield goes
    assert seen.nothing, seen


def test_a_click_opens_the_step_and_shows_it(reader):
    page = reader("#step=3")
    page.locator("#bars").scroll_into_view_if_needed()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    box = page.locator("#bars").bounding_box()
    page.mouse.click(box["x"] + 60 + (box["width"] - 68) * 10.5 / 20, box["y"] + 60)
    expect(page.locator("#timeline-title")).to_have_text("Step 10")
    assert page.url.endswith("#step=10")
    until(lambda: page.locator("#tracks").evaluate("tracks => tracks.getBoundingClientRect().bottom > 0"))


def test_the_wheel_zooms_where_the_mouse_is(reader):
    page = reader("#step=3")
    box = over_tracks(page)
    before = shown_ns(page)
    page.mouse.wheel(0, -300)
    until(lambda: shown_ns(page) != before)
    first, last = shown_ns(page)
    assert last - first == pytest.approx((before[1] - before[0]) * math.exp(-0.6), rel=0.01)
    assert (first + last) / 2 == pytest.approx(sum(before) / 2, rel=0.01)
    page.keyboard.down("Shift")
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 - 100, box["y"] + 20)
    page.mouse.up()
    page.keyboard.up("Shift")
    moved = first + 100 / box["width"] * (last - first)
    until(lambda: shown_ns(page)[0] == pytest.approx(moved, rel=0.001))


def test_the_wheel_scrolls_the_page_when_all_is_seen(reader):
    page = reader("#step=3")
    page.get_by_role("button", name="Show all of the timeline").click()
    over_tracks(page)
    before, shown = page.evaluate("scrollY"), shown_ns(page)
    page.mouse.wheel(0, 300)
    until(lambda: page.evaluate("scrollY") > before)
    assert shown_ns(page) == shown


@pytest.mark.parametrize("gap", [1, 3, 30])
def test_a_link_leads_to_its_place(reader, gap):
    page = reader(f"#step=12&gap={gap}")
    trace = opened(FIXTURES / f"{ITEM}.sqlite")
    place = trace.rows(f"SELECT * FROM page_places WHERE step = 12 AND number = {gap}")[0]
    start_ns = trace.rows("SELECT start_ns FROM page_steps WHERE step = 12")[0]["start_ns"]
    zero_ns = trace.rows("SELECT start_ns FROM analysed_time")[0]["start_ns"]
    assert page.inner_text("#timeline-title").startswith("Step 12")
    heading = f"{gap} of step 12: {duration(place['lost_ns'])}, {duration(place['start_ns'] - start_ns)}"
    assert heading in page.inner_text("#gap h3")
    until(lambda: shown_ns(page)[0] <= place["start_ns"] - zero_ns and shown_ns(page)[1] >= place["end_ns"] - zero_ns)


def test_a_link_opens_the_page_there(browser, report_of):
    page, seen = browser.open(report_of(ITEM), "#step=7&gap=2&cause=copy")
    assert page.inner_text("#gap h3").split(": ")[0].endswith(" 2 of step 7")
    assert page.get_attribute("tr[data-cause=copy] button", "aria-pressed") == "true"
    assert page.locator("#tracks").evaluate("tracks => tracks.getBoundingClientRect().top < innerHeight / 2")
    assert seen.nothing


def test_what_a_link_asks_for_and_is_not_there(browser, report_of):
    page, seen = browser.open(report_of(ITEM), "#step=4711&gap=x&cause=<b>")
    assert page.inner_text("#timeline-title").startswith("Step ")
    page.evaluate("location.hash = '#step=12&gap=99999'")
    expect(page.locator("#gap")).to_contain_text("There is no gap 99999 of step 12 in this page. The 30 longest gaps")
    assert seen.nothing


def test_every_gap_can_be_reached(browser, report_of):
    """Those without a number by their time."""
    gap = opened(FIXTURES / f"{ITEM}.sqlite").gaps().row(-1, named=True)
    page, seen = browser.open(report_of(ITEM), f"#at={gap['start_ns']}-{gap['end_ns']}")
    assert page.inner_text("#measured h3") == f"{duration(gap['length_ns'])} selected"
    assert cells_of(page, "#measured tbody")[1] == [gap["cause"], f"{duration(gap['length_ns'])}, {percent(1)}"]
    assert f"from the end of {gap['before']} to the start of {gap['after']}." in page.inner_text("#measured")
    assert seen.nothing


def test_the_keyboard_does_all(reader):
    page = reader("#step=3")
    page.focus("#bars")
    for key, number in (("ArrowRight", "4"), ("Home", "0"), ("ArrowLeft", "0"), ("End", "19"), ("PageDown", "9")):
        page.keyboard.press(key)
        assert page.get_attribute("#bars", "aria-valuenow") == number
    spoken = page.get_attribute("#bars", "aria-valuetext")
    assert re.fullmatch(r"step 9: [\d.]+ ms, [\d.]+ % lost, the largest part to host_sync", spoken)
    page.focus("#tracks")
    page.keyboard.press("+")
    page.keyboard.press("+")
    first, last = settled(page)
    page.keyboard.press("ArrowRight")
    assert settled(page)[0] > first
    page.keyboard.press("-")
    shown = settled(page)
    assert shown[1] - shown[0] > last - first
    page.keyboard.press("n")
    one = page.inner_text("#gap h3")
    page.keyboard.press("n")
    assert page.inner_text("#gap h3") != one
    page.keyboard.press("p")
    assert page.inner_text("#gap h3") == one
    page.keyboard.press("Escape")
    assert page.inner_text("#gap") == ""


def test_every_control_can_be_reached(reader):
    page = reader("#step=3")
    page.evaluate("document.getElementById('theme').focus()")
    reached = []
    for _ in range(70):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.id || document.activeElement.textContent.trim()"))
    assert {"bars", "tracks", "host_sync", "launch_bound", "gap 1", "Whole step", "Every step as a table"} <= set(reached)


def test_a_cause_filters(reader):
    page = reader("#step=3")
    before = ink(page, "#tracks canvas")
    page.click("tr[data-cause=launch_bound] button")
    assert page.url.endswith("cause=launch_bound")
    assert page.inner_text("#causes article:not([hidden]) h2") == "launch_bound"
    assert {cells[2] for cells in cells_of(page, "#gaps tbody")} == {"launch_bound"}
    assert ink(page, "#tracks canvas") != before
    page.click("tr[data-cause=launch_bound] button")
    assert page.inner_text("#causes article:not([hidden]) h2") == "host_sync"
    assert ink(page, "#tracks canvas") == before


def test_both_themes(browser, report_of, page_of):
    paper = "getComputedStyle(document.body).backgroundColor"
    light, _ = page_of(ITEM)
    dark, _ = browser.open(report_of(ITEM), theme="dark")
    assert light.evaluate(paper) == "rgb(255, 255, 255)"
    assert dark.evaluate(paper) == "rgb(20, 23, 27)"
    assert ink(light, "#bars canvas") != ink(dark, "#bars canvas")
    dark.select_option("#theme", "light")
    assert dark.evaluate(paper) == light.evaluate(paper)
    assert ink(dark, "#bars canvas") == ink(light, "#bars canvas")


def test_paper_is_light_and_has_every_finding(browser, report_of):
    page, _ = browser.open(report_of(ITEM), theme="dark")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    assert page.locator("#causes article:visible h2").all_inner_texts() == ["host_sync", "launch_bound"]
    assert not page.is_visible("#theme")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


@pytest.mark.parametrize("name", some(1, [TWO_GPUS, HEALTHY]))
def test_a_phone_shows_all_of_its_width(browser, report_of, name):
    page, _ = browser.open(report_of(name), size=PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0]


def test_all_gpus_are_shown(page_of):
    page, _ = page_of(TWO_GPUS)
    assert page.locator(".row.head .fold", has_text="GPU").all_inner_texts() == ["▾rank 0, GPU 0", "▾rank 1, GPU 1"]
    assert page.locator("#ledger thead").inner_text().split("\t")[3:5] == ["GPU 0", "GPU 1"]


def test_a_trace_without_steps(browser, tmp_path):
    page, seen = browser.open(synthetic(tmp_path, steps=False))
    assert page.inner_text("#timeline-title") == "Timeline"
    assert "How the window is spent" in page.inner_text("#ledger caption")
    assert not page.locator("#steps").count(), "one bar says no more than the ledger"
    assert seen.nothing


def test_names_are_text(browser, tmp_path):
    page, seen = browser.open(synthetic(tmp_path, name=EVIL), "#step=1&gap=1")
    assert EVIL in page.inner_text("#phases")
    assert EVIL in page.inner_text("#gap")
    tracks = over_tracks(page)
    said = set()
    for y in range(8, int(tracks["height"]) - 26, 8):
        page.mouse.move(tracks["x"] + tracks["width"] / 2, tracks["y"] + y)
        said.update(page.locator("#hint .tip").all_inner_texts())
    assert any(EVIL in text for text in said)
    assert page.title() != "pwned"
    assert page.locator("img").count() == 0
    assert seen.nothing, seen


def test_nothing_but_itself_may_run(report_of):
    text = report_of(ITEM).read_text()
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', text)[1]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)[1])
    assert data["diagnosis"]["schema"] == "gapfinder.diagnosis/2"


def over_tracks(page):
    """Moves the mouse to the middle of the timeline; returns its box."""
    page.locator("#tracks").scroll_into_view_if_needed()
    box = page.locator("#tracks").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 20)
    return box


def test_a_gap_that_goes_on_into_the_next_step_is_told_as_a_whole(browser, tmp_path):
    """On the second GPU, from 16 to 32 ms. The next step begins at 21 ms, with the first kernel of the first GPU."""
    trace = Synthetic()
    trace.thread(1)
    for start in range(0, 240 * MS, 20 * MS):
        trace.nvtx("step", start, start + 19 * MS)
        trace.kernel(start + MS, start + 10 * MS, (start + 500 * US, start + 510 * US), gpu=0)
        trace.kernel(start + 12 * MS, start + 16 * MS, (start + 600 * US, start + 610 * US), gpu=1, name="head")
    file = tmp_path / "two.html"
    with trace.analysed() as analysed:
        file.write_text(written(analysed, diagnose(analysed)))
        places = analysed.rows("SELECT step, number, start_ns FROM page_places WHERE gpu = 1 AND gap_start_ns = 16000000")
    assert len(places) == 2
    for place in places:
        page, seen = browser.open(file, f"#step={place['step']}&gap={place['number']}")
        told = page.inner_text("#gap")
        assert "From the end of head to the start of head, which python3 (1) launched 11.4 ms before it started." in told
        assert page.locator("#gap tbody tr").count() >= 1
        assert seen.nothing


def test_a_fact_on_one_gpu_leads_to_a_gap_of_it(browser, report_of):
    page, _ = browser.open(report_of("pipeline_gpipe"))
    links = page.locator("#causes .evidence a[href*='gap='], #causes a[href*='gap=']")
    facts = [(link.inner_text(), link.get_attribute("href")) for link in links.all()]
    of_gpu = opened(FIXTURES / "pipeline_gpipe.sqlite").rows("SELECT step, number, gpu FROM page_places")
    gpus = {f"#step={row['step']}&gap={row['number']}": row["gpu"] for row in of_gpu}
    told = {(re.search(r"GPU (\d+)", text)[1], href) for text, href in facts if re.search(r"GPU (\d+), ", text)}
    assert told
    assert all(int(gpu) == gpus[href] for gpu, href in told)


def until(true):
    ends = time.monotonic() + 5
    while not true():
        assert time.monotonic() < ends
        time.sleep(0.02)


def shown_ns(page):
    """The part of the timeline that is drawn, ns from its start."""
    return page.evaluate("['from', 'to'].map(name => Number(document.getElementById('tracks').dataset[name]))")


def settled(page):
    """The same, after the next frame."""
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return shown_ns(page)


def synthetic(folder, *, steps=True, name="work"):
    """The report of five steps of 10 ms, in each a gap of 6 ms; every name that can be given is `name`."""
    trace = Synthetic()
    trace.thread(tid=1, name=name, process=name)
    for start in range(0, 50 * MS, 10 * MS):
        if steps:
            trace.nvtx("step", start, start + 9 * MS)
            trace.nvtx(name, start + MS, start + 7 * MS)
            trace.sample(start + 4 * MS, (f"/home/me/{name}.py", name, 3))
        trace.os(name, start + 2 * MS, start + 3 * MS)
        trace.kernel(start + 6 * MS, start + 10 * MS, (start + 6 * MS - 9 * US, start + 6 * MS - 4 * US), name=name)
    file = folder / "report.html"
    with trace.analysed() as analysed:
        file.write_text(written(analysed, diagnose(analysed)))
    return file
