"""A headless Chromium for the tests that look at a page as its reader does."""

import os
import shutil
from contextlib import suppress
from dataclasses import dataclass, field

import pytest

with suppress(ImportError):  # without it, the tests are skipped
    from playwright.sync_api import TimeoutError  # noqa: A004  its own

CHROMIUM = os.environ.get("GAPFINDER_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="there is no Chromium: apt-get install chromium, or name one in GAPFINDER_CHROMIUM"
)
DESK = (1440, 900)
PHONE = (390, 844)


@dataclass
class Seen:
    """What a page did besides showing itself."""

    console: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    @property
    def nothing(self):
        return not (self.console or self.errors or self.requests)


def playwright_api():
    """Playwright; where there is none, the test file that asks for it is skipped."""
    return pytest.importorskip("playwright.sync_api", reason="there is no playwright: pip install playwright")


class Browser:
    """Opens files; one for a whole session, with a window of its own for each page."""

    def __init__(self, playwright):
        self._browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)

    def open(self, file, link="", *, size=DESK, theme="light", touch=False):
        """The page of a file, drawn, and what else it did."""
        context = self._browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=theme, has_touch=touch)
        page, seen = context.new_page(), Seen()
        page.on("console", lambda message: seen.console.append(message.text))
        page.on("pageerror", lambda error: seen.errors.append(str(error)))
        page.on("request", lambda request: request.url.startswith(file.as_uri()) or seen.requests.append(request.url))
        page.on("dialog", lambda dialog: (seen.errors.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.goto(file.as_uri() + link)
        try:
            page.wait_for_selector("#made:not(:empty)", state="attached")
        except TimeoutError as error:
            raise AssertionError(f"the page was not drawn: {seen}") from error
        return page, seen

    def blank(self):
        """An empty page, to call functions in."""
        return self._browser.new_page()

    def close(self):
        self._browser.close()


def wait_for_tables(page):
    """Wait until all that was unfolded is there: it is made only then, and not at once."""
    page.wait_for_function("() => !document.querySelector('details[open] > summary:only-child')")


def cells_of(page, body):
    """The text of all cells below an element, row by row."""
    texts = "row => [...row.cells].map(cell => cell.innerText.trim())"
    return page.evaluate(f"body => [...document.querySelectorAll(body + ' tr')].map({texts})", body)


def ink(page, canvas):
    """What is drawn, as the text of a PNG."""
    return page.evaluate("canvas => document.querySelector(canvas).toDataURL()", canvas)
