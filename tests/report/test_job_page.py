"""The page of a job in a real browser, and the job's part on the page of a trace with two ranks."""

import shutil
from collections import Counter

import pytest
from browser import PHONE, cells_of, needs_chromium, playwright_api
from click.testing import CliRunner
from jobs import Ranks
from pages import EVIL
from synthetic import MS, US
from traces import FIXTURES

import gapfinder
from gapfinder.cli.main import gapfinder as program
from gapfinder.job import words
from gapfinder.job.database import JobDatabase
from gapfinder.options import Options
from gapfinder.pipeline.config import read_config
from gapfinder.report.parts import parts_of_job
from gapfinder.units import duration, percent

expect = playwright_api().expect
pytestmark = needs_chromium


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two ranks, of which now one and now the other is late, in files with a hostile name."""
    folder = tmp_path_factory.mktemp("job")
    for rank in (0, 1):
        shutil.copy(FIXTURES / "jobs" / f"changing_slow_rank_faulty_rank{rank}.sqlite", folder / f"{EVIL}_rank{rank}.sqlite")
    return folder


@pytest.fixture(scope="module")
def made(folder, tmp_path_factory):
    """The page that the command writes, the diagnosis that it is of, and the window of the job on each rank."""
    file, jobs, windows = tmp_path_factory.mktemp("page") / "job.html", [], []
    diagnose, join = gapfinder.diagnose_job, JobDatabase.join
    query = "SELECT rank, min(start_ns) AS from_ns, max(end_ns) AS to_ns FROM job_steps GROUP BY rank"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(JobDatabase, "join", lambda self, *given: (join(self, *given), windows.extend(self.rows(query))))
        patch.setattr(gapfinder, "diagnose_job", lambda *paths, **chosen: jobs.append(diagnose(*paths, **chosen)) or jobs[0])
        done = CliRunner().invoke(program, ["report", str(folder), "-o", str(file)])
    assert (done.exit_code, done.stderr.count("\n"), done.stdout) == (0, 1, "")
    return file, jobs[0], windows


@pytest.fixture(scope="module")
def file(made):
    return made[0]


@pytest.fixture(scope="module")
def job(made):
    return made[1]


@pytest.fixture(scope="module")
def reader(browser, file):
    """The page with all its tables open."""
    page, seen = browser.open(file)
    behind = page.locator("main summary", has_text="table").all()
    for summary in behind:
        summary.click()
    expect(page.locator("main details table")).to_have_count(len(behind))
    yield page
    assert seen.nothing, seen
    assert page.title() != "pwned"


def test_it_says_who_was_late_and_why(reader, job):
    assert reader.inner_text("h1") == job.headline
    assert reader.inner_text("#change .fix") == job.fix
    assert duration(job.predicted_step_ns) in reader.inner_text("#change")
    assert reader.inner_text("#change .line >> nth=0") == "changing_slow_rank.py:37"
    facts = [fact for fact in job.evidence if fact.source_line]
    lines = reader.locator("#change li:has(.line)")
    assert lines.all_inner_texts() == [fact.text for fact in facts]
    assert lines.first.inner_text().startswith("rank ")
    assert lines.locator(".line").all_inner_texts() == [fact.source_line for fact in facts]
    charged = [[f"rank {one.rank}", one.cause, percent(one.share)] for one in job.late.charges]
    assert cells_of(reader, "#waiting > .scroll tbody") == charged


def test_its_timeline_has_the_causes_of_the_job(made):
    """What is drawn as lost in the window of the job adds up to the job's ledger, to the nanosecond."""
    _, job, windows = made
    assert {"rank_imbalance", "communication"} <= {cause for rank in job.ranks for cause in rank.causes}
    for part in parts_of_job(job, Options(), read_config(None), lambda _: None):
        ((gpu, rank),) = part.about["ranks"].items()
        window = next(row for row in windows if row["rank"] == rank)
        ((_, levels),) = [(track, levels) for track, levels in part.tracks if (track["shows"], track.get("gpu")) == ("lost", gpu)]
        boxes, lost = dict(levels)[0], Counter()
        for what, start_ns, end_ns in zip(boxes.what.tolist(), boxes.start_ns.tolist(), boxes.end_ns.tolist(), strict=True):
            lost[part.words[what][0]] += max(0, min(end_ns, window["to_ns"]) - max(start_ns, window["from_ns"]))
        assert +lost == +Counter(next(one for one in job.ranks if one.rank == rank).causes)


def test_each_gap_has_an_address(browser, file):
    page, _ = browser.open(file)
    page.keyboard.press("n")
    measured = page.inner_text("#measured")
    assert measured
    again, seen = browser.open(file, page.evaluate("location.hash"))
    assert again.inner_text("#measured") == measured
    again.keyboard.press("Escape")
    expect(again.locator("#measured")).to_be_empty()
    assert again.evaluate("location.hash") == ""
    assert seen.nothing, seen


def test_its_ledgers_are_those_of_the_job(reader, job):
    mean = {cells[0]: cells[1:4] for cells in cells_of(reader, "#ledger tbody")}
    for cause in job.causes:
        without = "" if cause.predicted_step_ns is None else duration(cause.predicted_step_ns)
        assert mean.pop(cause.cause) == [duration(cause.share * job.step_ns), percent(cause.share), without]
    assert mean.keys() == {"compute"}
    heads = [cell.strip() for cell in reader.inner_text("#ranks thead tr").split("\t")]
    for rank, cells in zip(job.ranks, cells_of(reader, "#ranks tbody"), strict=True):
        assert cells[0] == words.name(rank)
        shown = {head: cell for head, cell in zip(heads[2:], cells[2:], strict=True) if cell}
        assert shown == {cause: duration(ns / job.steps) for cause, ns in [("compute", rank.compute_ns), *rank.causes.items()]}


def test_waiting_by_step_and_late_rank(reader, job):
    """The table, and what is said of a place of the heat map."""
    shown = cells_of(reader, "#waiting details tbody")
    assert shown == [[f"{one.step}", f"rank {one.rank}", one.cause, duration(one.waiting_ns)] for one in job.waits]
    assert sum(one.waiting_ns for one in job.waits) == pytest.approx(job.late.waiting_ns * job.steps)
    longest = max(job.waits, key=lambda one: one.waiting_ns)
    canvas = reader.locator("#waiting .heat canvas")
    box = canvas.bounding_box()
    place = {
        "x": box["width"] * (job.step_numbers.index(longest.step) + 0.5) / job.steps,
        "y": box["height"] * (longest.rank + 0.5) / len(job.ranks),
    }
    canvas.hover(position=place)
    waited = f"{duration(longest.waiting_ns)} waited for it, in {longest.cause}"
    expect(reader.locator(".tip.over")).to_have_text(f"rank {longest.rank}, step {longest.step}: {waited}")


def test_collectives_and_clocks(reader, job):
    assert cells_of(reader, "#collectives > .scroll tbody") == [list(words.transfer(one)) for one in job.transfers]
    assert words.alignment(job) in reader.inner_text("#collectives")
    offsets = [duration(ns) for ns in job.alignment.offsets_ns]
    assert [cells[1] for cells in cells_of(reader, "#collectives details tbody")] == offsets


def test_it_tells_nothing_of_the_machine(file, folder):
    assert str(folder) not in file.read_text()
    assert file.stat().st_size < 1_000_000


def test_a_page_names_no_folders_above_the_file(tmp_path):
    """Neither in its title nor in a headline: they may name a user."""
    job = Ranks([0, 7 * MS], together=True)
    (trace, _) = job.traces
    for _ in range(10):
        for rank in (0, 1):
            trace.nvtx("step", job.at[rank], job.at[rank] + 100 * US, job.main(rank))
        job.host(1, 9 * MS)
        for part in range(1, 18):
            trace.sample(
                job.local(1, job.at[1]) - 9 * MS + part * 500 * US,
                ("/home/ann/private/loader.py", "load", 12),
                thread=job.main(1),
            )
        for rank in (0, 1):
            job.compute(rank, 3 * MS)
        job.collective([0, 1])
    file = trace.write(tmp_path / "two.sqlite")
    assert "private/loader.py:12" in gapfinder.open(file).diagnose().headline
    page = tmp_path / "two.html"
    assert CliRunner().invoke(program, ["report", str(file), "-o", str(page)]).exit_code == 0
    written = page.read_text()
    assert "private/loader.py:12" in written
    assert "/home/ann" not in written


def test_dark_and_on_a_phone(browser, file):
    ink = "document.querySelector('#waiting .heat canvas').toDataURL()"
    light, _ = browser.open(file)
    dark, seen = browser.open(file, size=PHONE, theme="dark")
    assert dark.evaluate(ink) != light.evaluate(ink)
    assert dark.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    assert seen.nothing


@pytest.mark.thorough
def test_a_trace_with_two_ranks_has_it_too(browser, report_of):
    page, seen = browser.open(report_of("ddp_straggler_broken"))
    with gapfinder.open(FIXTURES / "ddp_straggler_broken.sqlite") as trace:
        job = trace.diagnose().job
    assert page.inner_text("h1") == job.headline
    assert page.inner_text("#causes article:not([hidden]) .fix") == job.fix
    assert page.inner_text("#page").count("by a replay across the ranks") == 1
    page.click("#waiting summary")
    expect(page.locator("#waiting details tbody tr")).to_have_count(job.steps)
    assert seen.nothing
