"""In a notebook, what has a page shows it: live, without a network, apart from the notebook, also once the trace was closed."""

import pickle
import shutil

import pytest
from browser import Seen, needs_chromium
from traces import FIXTURES, diagnosis, opened
from variations import some

import gapfinder

BROKEN, FIXED = (FIXTURES / f"tokenize_{kind}.sqlite" for kind in ("broken", "fixed"))
NOTEBOOK = "<!doctype html><meta charset=utf-8><title>notebook</title><body>{}</body>"


@pytest.fixture
def shown(browser, tmp_path):
    """The frame in a notebook that shows a result, and what it did besides."""

    def show(result):
        file = tmp_path / "notebook.html"
        file.write_text(NOTEBOOK.format(result._repr_html_()))
        page, seen = browser.blank(), Seen()
        page.on("console", lambda message: seen.console.append(message.text))
        page.on("pageerror", lambda error: seen.errors.append(str(error)))
        page.on("request", lambda request: request.url in {file.as_uri(), "about:srcdoc"} or seen.requests.append(request.url))
        page.goto(file.as_uri())
        frame = page.frame_locator("iframe")
        frame.locator("#made:not(:empty)").wait_for(state="attached")
        return frame, seen

    return show


@needs_chromium
def test_open_trace_shows_its_page(shown):
    frame, seen = shown(opened(BROKEN))
    assert frame.locator("h1").inner_text() == diagnosis(BROKEN).headline
    frame.locator("#ledger tbody tr").nth(1).click()
    assert seen.nothing, seen


@needs_chromium
@pytest.mark.parametrize("closed", some(1, [False, True]))
def test_diagnosis_shows_the_page_of_its_trace(shown, closed):
    trace = gapfinder.open(BROKEN)
    found = trace.diagnose()
    if closed:
        trace.close()
    frame, seen = shown(found)
    assert frame.locator("h1").inner_text() == found.headline
    assert frame.locator("#timeline canvas").first.is_visible()
    assert seen.nothing, seen


@pytest.mark.thorough
@needs_chromium
def test_comparison_shows_its_page(shown):
    found = gapfinder.compare(BROKEN, FIXED)
    frame, seen = shown(found)
    assert frame.locator("h1").inner_text() == found.last.headline
    assert [name for name in frame.locator(".fold").all_inner_texts() if "GPU" in name] == ["▾before, GPU 0", "▾after, GPU 0"]
    assert seen.nothing, seen


@pytest.mark.thorough
@needs_chromium
def test_job_shows_its_page(shown):
    frame, seen = shown(gapfinder.diagnose_job(*sorted(FIXTURES.glob("straggler_rank*.sqlite"))))
    assert "rank 1" in frame.locator("body").inner_text().lower()
    assert frame.locator(".fold", has_text="GPU").count() == 2
    assert seen.nothing, seen


def test_closed_trace_shows_its_name():
    with gapfinder.open(FIXED) as trace:
        pass
    assert trace._repr_html_() == "<code>&lt;Trace &#x27;tokenize_fixed.sqlite&#x27;, closed&gt;</code>"


def test_charts_are_never_those_of_another_trace(tmp_path):
    file = tmp_path / "trace.sqlite"
    shutil.copy(BROKEN, file)
    with gapfinder.open(file) as trace:
        found = trace.diagnose()
    shutil.copy(FIXED, file)
    shown = found._repr_html_()
    assert "are lost to host_sync" in shown
    assert "<iframe" not in shown
    assert f"<p>{file} was changed or moved after this was found in it: diagnose it again" in shown


def test_a_pickled_diagnosis_shows_its_text():
    found = diagnosis(BROKEN)
    again = pickle.loads(pickle.dumps(found))  # noqa: S301  our own
    assert again == found
    assert "<pre" in again._repr_html_()
