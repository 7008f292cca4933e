import pytest
from browser import CHROMIUM, Browser
from traces import FIXTURES, opened

from gapfinder.report.trace import page_of


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright

    assert CHROMIUM  # tests that need it are skipped without one
    with sync_playwright() as playwright:
        browser = Browser(playwright)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def report_of(tmp_path_factory):
    """Makes the report of a fixture, once for a session."""
    folder = tmp_path_factory.mktemp("reports")

    def made(name):
        file = folder / f"{name}.html"
        if not file.exists():
            trace = opened(FIXTURES / f"{name}.sqlite")
            file.write_text(page_of(trace, trace.diagnose()))
        return file

    return made
