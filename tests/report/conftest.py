import pytest
from browser import CHROMIUM, Browser
from click.testing import CliRunner
from traces import FIXTURES, diagnosis, opened

from gapfinder.cli.main import gapfinder
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
            trace = FIXTURES / f"{name}.sqlite"
            file.write_text(page_of(opened(trace), diagnosis(trace)))
        return file

    return made


@pytest.fixture(scope="session")
def page_by(tmp_path_factory):
    """Makes a page by a command, once for a session."""
    folder = tmp_path_factory.mktemp("pages")

    def made(name, *arguments):
        file = folder / f"{name}.html"
        if not file.exists():
            done = CliRunner().invoke(gapfinder, [*map(str, arguments), "-o", str(file)])
            assert done.exit_code == 0, done.output
        return file

    return made


@pytest.fixture(scope="session")
def job_file(page_by):
    """The page of a job of two ranks."""
    return page_by("job", "report", *(FIXTURES / f"straggler_rank{rank}.sqlite" for rank in (0, 1)))


@pytest.fixture(scope="session")
def comparison_file(page_by):
    """The page of a trace and of what a fix made of it, of some of their steps."""
    return page_by(
        "comparison", "compare", *(FIXTURES / f"item_{side}.sqlite" for side in ("broken", "fixed")), "--window", "4..17"
    )
