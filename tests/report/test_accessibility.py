"""What axe-core finds on the pages: nothing that a screen reader, a keyboard or weak eyes cannot use."""

import subprocess
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from browser import PHONE, needs_chromium, playwright_api, wait_for_tables
from click.testing import CliRunner
from traces import FIXTURES
from variations import some

from gapfinder.cli.main import gapfinder as program

playwright_api()
pytestmark = needs_chromium
THEMES, KINDS = ("light", "dark"), ("trace", "ranks", "job", "comparison", "fleet")
SCRIPT = Path(__file__).parents[2] / ".ci" / "axe"


@pytest.fixture(scope="module")
def axe():
    """The script of axe-core, which npm brings."""
    try:
        done = subprocess.run([SCRIPT], capture_output=True, text=True, timeout=120, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"axe-core cannot be had from npm: {error}")
    return Path(done.stdout.strip()).read_text()


@pytest.fixture(scope="module")
def pages(report_of, page_by, job_file, comparison_file, tmp_path_factory):
    """What makes the page of each kind."""

    def fleet_file():
        kept = tmp_path_factory.mktemp("fleet") / "kept"
        traces = FIXTURES / "jobs" / "slow_rank_faulty_rank*.sqlite"
        done = CliRunner().invoke(program, ["fleet", str(traces), "-o", str(kept), "--workers", "0"])
        assert done.exit_code == 0, done.output
        return page_by("fleet", "report", kept)

    return {
        "trace": lambda: report_of("item_broken"),
        "ranks": lambda: report_of("ddp_straggler_broken"),
        "job": lambda: job_file,
        "comparison": lambda: comparison_file,
        "fleet": cache(fleet_file),
    }


@pytest.mark.parametrize(("theme", "kind"), some(5, list(product(THEMES, KINDS))))
def test_axe_finds_nothing(browser, axe, pages, kind, theme):
    size = PHONE if theme == "dark" else (1400, 900)
    page, seen = browser.open(pages[kind](), "#step=3&gap=1" if kind in {"trace", "ranks"} else "", size=size, theme=theme)
    page.evaluate("() => { for (const one of document.querySelectorAll('details')) one.open = true; }")
    wait_for_tables(page)
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")["violations"]
    assert [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found] == []
    assert seen.nothing
