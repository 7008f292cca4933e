"""The timeline of a page in a real browser: what is drawn, and what a reader does with it."""

import re

import pytest
from browser import PHONE, cells_of, ink, needs_chromium, playwright_api
from pages import HOSTILE, long_training, with_names, written
from synthetic import MS, US
from traces import FIXTURES, opened

from gapfinder.units import duration, percent

expect = playwright_api().expect
pytestmark = needs_chromium
ITEM, TWO_RANKS, SAMPLED = "item_broken", "ddp_straggler_broken", "pysample_tokenize"
FRAME_MS = 16.7  # 60 frames a second
RECTANGLES = 15_000  # that a frame may draw: three times what the largest page takes
LARGEST = 6_000_000  # bytes of a page
# Waits until the page has not scrolled for 30 frames.
STILL = """() => new Promise(done => {
    let before, frames = 0
    const look = () => {
        frames = scrollY === before ? frames + 1 : 0
        before = scrollY
        frames < 30 ? requestAnimationFrame(look) : done()
    }
    look()
})"""


@pytest.fixture
def item(browser, report_of):
    """The page of one GPU, at a step."""
    page, seen = browser.open(report_of(ITEM), "#step=3")
    yield page
    assert seen.nothing, seen


def frame(page):
    """Waits until what was asked for is drawn; returns what the timeline says of the frame."""
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    drawn = page.evaluate("({...document.getElementById('tracks').dataset})")
    return {name: float(value) for name, value in drawn.items()}


def row_of(page, label):
    """The middle of a row of the timeline by its label: y on the page, and the box of the tracks."""
    page.locator("#tracks").scroll_into_view_if_needed()
    row = page.locator(".row", has_text=label).first.bounding_box()
    return row["y"] + row["height"] / 2, page.locator("#tracks").bounding_box()


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)
    return frame(page)


def test_it_holds_all_that_was_recorded(item):
    trace = opened(FIXTURES / f"{ITEM}.sqlite")
    bounds = trace.rows("SELECT end_ns - start_ns AS ns FROM analysed_time")[0]
    item.get_by_role("button", name="Show all of the timeline").click()
    drawn = frame(item)
    assert (drawn["from"], drawn["to"]) == (0, bounds["ns"])
    step = trace.rows("SELECT s.start_ns - a.start_ns AS start_ns, s.end_ns - a.start_ns AS end_ns "
                      "FROM page_steps AS s, analysed_time AS a WHERE step = 3")[0]  # fmt: skip
    drawn = press(item, "0")
    assert (drawn["from"], drawn["to"]) == pytest.approx((step["start_ns"], step["end_ns"]))
    drawn = press(item, "0")
    assert drawn["from"] == 0


def test_no_text_lies_on_another(item):
    """A call and the wait in it are drawn in one row."""
    item.evaluate("""() => {
        const draw = CanvasRenderingContext2D.prototype.fillText
        window.texts = []
        CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
            if (this.canvas.closest("#tracks")) window.texts.push([text, x, x + this.measureText(text).width, y])
            return draw.apply(this, arguments)
        }
    }""")
    for _ in range(16):
        item.evaluate("window.texts.length = 0")
        press(item, "w")
        drawn = item.evaluate("window.texts")
        pairs = [(one, other) for at, one in enumerate(drawn) for other in drawn[:at] if one[3] == other[3]]
        assert [(one, other) for one, other in pairs if one[1] < other[2] and other[1] < one[2]] == []


def test_moving_does_not_end_at_the_edge_of_a_step(item):
    before = frame(item)
    after = press(item, *(["d"] * 12))
    assert after["from"] > before["to"]
    assert after["rectangles"] > 50


def test_regimes_are_shown_by_a_click(browser, report_of):
    page, _ = browser.open(report_of("dataloader_full"))
    regimes = opened(FIXTURES / "dataloader_full.sqlite").rows(
        "SELECT kind, end_ns - start_ns AS ns FROM regimes ORDER BY start_ns"
    )
    assert len(regimes) > 1
    assert page.locator(".regimes button").all_inner_texts() == [regime["kind"] for regime in regimes]
    for button, regime in zip(page.locator(".regimes button").all(), regimes, strict=True):
        button.click()
        drawn = frame(page)
        assert drawn["to"] - drawn["from"] == pytest.approx(regime["ns"])


def test_the_strip_is_brushed_to_zoom(item):
    box = item.locator("#overview").bounding_box()
    y = box["y"] + 30
    press(item, "0", "0")
    item.get_by_role("button", name="Show all of the timeline").click()
    whole = frame(item)["to"]
    item.mouse.move(box["x"] + 0.25 * box["width"], y)
    item.mouse.down()
    item.mouse.move(box["x"] + 0.5 * box["width"], y, steps=3)
    item.mouse.up()
    drawn = frame(item)
    assert (drawn["from"], drawn["to"]) == pytest.approx((0.25 * whole, 0.5 * whole), rel=0.01)
    item.mouse.move(box["x"] + 0.4 * box["width"], y)
    item.mouse.down()
    item.mouse.move(box["x"] + 0.5 * box["width"], y, steps=3)
    item.mouse.up()
    assert frame(item)["from"] == pytest.approx(0.35 * whole, rel=0.01)


def test_a_measured_step_is_its_ledger(item):
    """Dragging over a step says what the ledger of the step says."""
    trace = opened(FIXTURES / f"{ITEM}.sqlite")
    lost = {row["cause"]: row["lost_ns"] for row in trace.rows("SELECT * FROM step_ledger WHERE step = 3")}
    total = trace.rows("SELECT * FROM step_totals WHERE step = 3")[0]
    y, box = row_of(item, "GPU 0")
    item.mouse.move(box["x"] + 1, y)
    item.mouse.down()
    item.mouse.move(box["x"] + box["width"] + 30, y, steps=4)
    item.mouse.up()
    item.mouse.move(box["x"], y)
    item.evaluate("history.replaceState(null, '', ' ')")
    measured = item.inner_text("#measured h3")
    length = float(re.match(r"([\d.]+) ms selected", measured)[1])
    assert length == pytest.approx(total["length_ns"] / 1e6, rel=0.01)
    shown = {cells[0]: cells[1] for cells in cells_of(item, "#measured tbody")}
    for cause, ns in {"compute": total["compute_ns"], **lost}.items():
        if ns > 0.01 * total["length_ns"]:
            share = float(re.search(r", ([\d.]+) %", shown[cause])[1])
            assert share == pytest.approx(100 * ns / total["length_ns"], abs=0.5)
    assert "about" not in item.inner_text("#measured")
    press(item, "Escape")
    assert item.inner_text("#measured") == ""


def test_a_link_to_a_time_measures_it_exactly(browser, report_of):
    trace = opened(FIXTURES / f"{ITEM}.sqlite")
    step = trace.rows("SELECT * FROM page_steps WHERE step = 5")[0]
    total = trace.rows("SELECT * FROM step_totals WHERE step = 5")[0]
    lost = {row["cause"]: row["lost_ns"] for row in trace.rows("SELECT * FROM step_ledger WHERE step = 5")}
    page, _ = browser.open(report_of(ITEM), f"#at={step['start_ns']}-{step['end_ns']}")
    shown = {cells[0]: cells[1] for cells in cells_of(page, "#measured tbody")}
    expected = {"compute": total["compute_ns"], **{cause: ns for cause, ns in lost.items() if ns}}
    assert shown == {cause: f"{duration(ns)}, {percent(ns / total['length_ns'])}" for cause, ns in expected.items()}


def test_an_activity_is_tied_to_its_launch(item):
    """The tooltip says when it was launched, and an arrow is drawn from there."""
    press(item, "n", "-")
    y, box = row_of(item, "stream 7")
    without = ink(item, ".marks")
    for x in range(4, int(box["width"]), 12):
        item.mouse.move(box["x"] + x, y)
        if item.locator("#hint .tip dt", has_text="launched").count():
            break
    assert "before it started" in item.inner_text("#hint .tip")
    assert ink(item, ".marks") != without


@pytest.mark.thorough
def test_launches_are_labelled_with_what_they_launch(browser, report_of):
    page, _ = browser.open(report_of(ITEM), "#step=3&gap=1")
    y, box = row_of(page, "python3")
    said = set()
    for x in range(2, int(box["width"]), 8):
        page.mouse.move(box["x"] + x, y)
        said.update(page.locator("#hint .tip strong").all_inner_texts())
    assert any(text.startswith("launched multi_tensor_apply_kernel") for text in said)


def test_colors_by_kind_or_by_name(item):
    by_kind = ink(item, "#tracks canvas")
    item.select_option("#colors", "name")
    frame(item)
    by_name = ink(item, "#tracks canvas")
    assert by_name != by_kind
    item.select_option("#colors", "kind")
    frame(item)
    assert ink(item, "#tracks canvas") == by_kind


def test_groups_fold_and_rows_resize(item):
    rows = item.locator(".row").count()
    height = item.locator("#tracks").bounding_box()["height"]
    fold = item.locator(".fold", has_text="GPU 0")
    fold.focus()
    item.keyboard.press("Enter")
    expect(item.locator(".row")).to_have_count(rows - 1)
    expect(item.locator(".fold", has_text="GPU 0")).to_be_focused()
    assert item.locator(".fold", has_text="GPU 0").get_attribute("aria-expanded") == "false"
    assert item.locator("#tracks").bounding_box()["height"] < height
    item.keyboard.press("Enter")
    expect(item.locator(".row")).to_have_count(rows)
    item.locator("#tracks").scroll_into_view_if_needed()
    grip = item.locator(".row .grip").first.bounding_box()
    item.mouse.move(grip["x"] + 20, grip["y"] + 2)
    item.mouse.down()
    item.mouse.move(grip["x"] + 20, grip["y"] + 42, steps=4)
    item.mouse.up()
    assert item.locator("#tracks").bounding_box()["height"] == pytest.approx(height + 40, abs=3)


def test_rows_resize_by_keys(item):
    grip = item.get_by_role("separator", name="Height of GPU 0")
    height = int(grip.get_attribute("aria-valuenow"))
    grip.focus()
    press(item, "ArrowDown", "ArrowDown", "ArrowUp", "ArrowDown")
    expect(grip).to_be_focused()
    expect(grip).to_have_attribute("aria-valuenow", str(height + 8))
    assert item.locator(".row").first.bounding_box()["height"] == height + 8
    press(item, "Home")
    expect(grip).to_have_attribute("aria-valuenow", grip.get_attribute("aria-valuemin"))


def test_one_finger_scrolls_and_two_move_and_zoom(browser, report_of):
    page, seen = browser.open(report_of(ITEM), "#step=3", size=PHONE, touch=True)
    page.locator("#tracks").scroll_into_view_if_needed()
    page.evaluate("document.getElementById('tracks').scrollIntoView({ block: 'center' })")
    before, box = frame(page), page.locator("#tracks").bounding_box()
    send, y = page.context.new_cdp_session(page).send, box["y"] + 30

    def drag(*fingers):
        """Moves fingers in 8 parts, each from (x, y) by (x, y) in pixels."""
        for time in range(9):
            points = [{"x": x + dx * time / 8, "y": y + dy * time / 8} for x, y, dx, dy in fingers]
            kind = "touchMove" if time else "touchStart"
            send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        return frame(page)

    def at(share):
        return box["x"] + share * box["width"]

    whole, scrolled = before["to"] - before["from"], page.evaluate("scrollY")
    drawn = drag((at(0.5), y, 0, -150))
    assert (drawn["from"], drawn["to"]) == (before["from"], before["to"])
    assert page.evaluate("scrollY") > scrolled
    page.evaluate(STILL)  # the finger has left it in motion
    page.evaluate(f"scrollTo(0, {scrolled})")
    tenth = 0.1 * box["width"]
    zoomed = drag((at(0.4), y, -tenth, 0), (at(0.6), y, tenth, 0))
    assert zoomed["to"] - zoomed["from"] == pytest.approx(whole / 2, rel=0.02)
    assert zoomed["from"] == pytest.approx(before["from"] + whole / 4, abs=0.02 * whole)
    moved = drag((at(0.4), y, -2 * tenth, 9), (at(0.6), y, -2 * tenth, 9))
    assert moved["from"] == pytest.approx(zoomed["from"] + 0.1 * whole, abs=0.01 * whole)
    assert moved["to"] - moved["from"] == pytest.approx(whole / 2, rel=0.02)
    assert page.evaluate("scrollY") == scrolled
    assert seen.nothing


def test_search_finds_kernels_ranges_and_lines(browser, report_of):
    page, seen = browser.open(report_of(SAMPLED), "#step=3")
    press(page, "/")
    expect(page.locator("#search")).to_be_focused()
    for wanted in ("multi_tensor_apply", "tokenize", "train.py:123"):
        page.fill("#search", wanted)
        expect(page.locator("#found")).to_contain_text("Enter: the next one")
        first = press(page, "Enter")
        found = page.inner_text("#measured")
        assert wanted in found
        assert page.inner_text("#found").startswith("1 of ")
        second = press(page, "Enter")
        assert second["from"] != first["from"]
    page.fill("#search", "no such kernel")
    expect(page.locator("#found")).to_have_text("not found")
    press(page, "Escape")
    assert page.input_value("#search") == ""
    assert seen.nothing


def test_keys_work_wherever_the_focus_is(item):
    """On the page itself, on a button, and in a table; not where text is typed."""
    item.evaluate("document.activeElement.blur()")
    press(item, "n")
    first = item.inner_text("#gap h3")
    item.focus("tr[data-cause=launch_bound] button")
    press(item, "n")
    assert item.inner_text("#gap h3") != first
    item.focus("#search")
    item.keyboard.type("nn")
    assert item.input_value("#search") == "nn"
    press(item, "Escape")


def test_escape_lets_go_of_a_cause(item):
    item.click("tr[data-cause=launch_bound] button")
    press(item, "Escape")
    assert item.get_attribute("tr[data-cause=launch_bound] button", "aria-pressed") == "false"
    assert item.inner_text("#causes article:not([hidden]) h2") == "host_sync"


def test_threads_samples_and_ranges_lie_below(browser, report_of):
    page, _ = browser.open(report_of(SAMPLED), "#step=3")
    labels = page.locator(".row").all_inner_texts()
    kinds = [
        next((kind for kind in ("GPU", "stream", "python3", "line of code", "NVTX") if kind in label), "") for label in labels
    ]
    assert kinds[:5] == ["GPU", "stream", "python3", "line of code", "NVTX"]


def test_cpu_samples_say_where_a_thread_ran(browser, tmp_path):
    trace = with_names(["resize"])
    for at in range(3 * MS, 6 * MS, 100 * US):
        trace.cpu_sample(at, ("/usr/lib/libpillow.so", "decode_jpeg"))
    trace.cpu_sample(6 * MS, ("/usr/lib/libstripped.so", None))
    page, seen = browser.open(written(trace, tmp_path / "report.html"), "#step=1")
    assert "native code" in page.locator(".row").all_inner_texts()
    for wanted, ns in (("decode_jpeg in libpillow.so", 3 * MS), ("libstripped.so", 200 * US)):
        page.fill("#search", wanted)
        press(page, "Enter")
        assert page.inner_text("#found") == "1 of 1 place"
        assert f"{wanted} {duration(ns)}" in page.inner_text("#measured")
    assert seen.nothing


@pytest.mark.thorough
def test_late_ranks_are_flagged(browser, report_of):
    page, seen = browser.open(report_of(TWO_RANKS))
    heads = page.locator(".fold", has_text="GPU").all_inner_texts()
    assert [head.strip("▾") for head in heads] == ["rank 0, GPU 0", "rank 1, GPU 1"]
    marks = "document.querySelector('.marks').getContext('2d').getImageData(0, 0, 4000, 400).data.some(Boolean)"
    assert page.evaluate(marks)
    assert seen.nothing


@pytest.fixture(scope="module")
def largest(tmp_path_factory):
    """The page of 300 steps of 1,000 activities."""
    return written(long_training(), tmp_path_factory.mktemp("largest") / "report.html")


def test_the_largest_page_is_small(largest):
    assert largest.stat().st_size < LARGEST


def test_a_page_without_room_draws_less_in_full(browser, tmp_path, monkeypatch):
    monkeypatch.setattr("gapfinder.report.timeline.LARGEST", room := 70_000)
    file = written(long_training(steps=20, activities=200), tmp_path / "report.html")
    page, seen = browser.open(file)
    packed = page.evaluate("Object.values(JSON.parse(document.getElementById('data').textContent).timeline)")
    assert sum(map(len, packed)) <= room
    assert "Every activity is drawn." in page.inner_text("#timeline-about")
    page.evaluate("location.hash = '#step=1'")
    expect(page.locator("#timeline-about")).to_contain_text("is drawn as one with its neighbors here")
    assert frame(page)["rectangles"] > 20
    assert seen.nothing, seen


def test_the_largest_page_moves_at_60_frames_a_second(browser, largest):
    """By what a frame draws, and by the time of the median frame on the CPU, which a busy machine disturbs least."""
    page, seen = browser.open(largest)
    page.locator("#tracks").scroll_into_view_if_needed()
    page.wait_for_timeout(1000)  # what it decodes while it is idle
    drive = """async ([times, deltaX, deltaY]) => {
        const tracks = document.getElementById("tracks");
        const { left, width, top } = tracks.getBoundingClientRect();
        const frames = [];
        for (let time = 0; time < times; time++) {
            const at = { clientX: left + width / 2, clientY: top + 20 };
            tracks.dispatchEvent(new WheelEvent("wheel", { deltaX, deltaY, ...at, bubbles: true, cancelable: true }));
            await new Promise(requestAnimationFrame);
            frames.push([Number(tracks.dataset.milliseconds), Number(tracks.dataset.rectangles)]);
        }
        return frames;
    }"""
    for move in ([40, 60, 0], [60, 0, 60], [20, 60, 0], [90, 0, -60], [20, 60, 0]):
        frames = page.evaluate(drive, move)
        times = sorted(milliseconds for milliseconds, _ in frames)
        assert times[len(times) // 2] < FRAME_MS
        assert max(rectangles for _, rectangles in frames) < RECTANGLES
    assert seen.nothing


def test_hostile_names_are_names(browser, tmp_path):
    page, seen = browser.open(written(with_names(HOSTILE), tmp_path / "report.html"), "#step=1&gap=1")
    page.select_option("#colors", "name")
    for name in ("__proto__", "constructor", "hasOwnProperty"):
        page.fill("#search", name)
        expect(page.locator("#found")).to_contain_text("place")
        press(page, "Enter")
        assert name in page.inner_text("#measured")
    assert "__proto__" in page.inner_text("#page")
    assert page.title() != "pwned"
    assert page.locator("img").count() == 0
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", page.content())
    assert page.evaluate("({}).polluted === undefined && Object.keys(Object.prototype).length === 0")
    assert seen.nothing, seen


def test_whole_names_are_shown_and_can_be_copied(item):
    full = opened(FIXTURES / f"{ITEM}.sqlite").rows("SELECT max(name) AS name FROM kernels WHERE name LIKE 'sm80%tn_n%'")[0][
        "name"
    ]
    assert item.locator(f"#kernels tbody span[title='{full}']").count() == 1
    item.fill("#search", full)
    item.press("#search", "Enter")
    assert item.inner_text("#measured .whole") == full
    assert item.locator("#measured .whole").evaluate("name => getComputedStyle(name).userSelect") == "all"
