"""Where no steps are known, nothing is said of steps: the numbers are those of the whole window."""

import re

import pytest
from traces import FIXTURES, opened
from variations import some

import gapfinder
from gapfinder.options import Options, Window
from gapfinder.render.diagnosis import markdown, text
from gapfinder.render.job import markdown as job_markdown
from gapfinder.render.job import text as job_text

PART = Options(window=Window.parse("0.020s..0.022s"))


def test_window_without_steps_is_told_in_all():
    found = opened(FIXTURES / "item_broken.sqlite", PART).diagnose()
    assert found.headline.startswith("419 us of 2.00 ms (20.9 %) are lost to host_sync: ")
    for renderer in (text, markdown):
        shown = renderer.render(found, width=100, color=False)
        assert "in all" in shown
        assert not re.search(r"per step|\ds a step|the step takes|times in all", shown)


@pytest.mark.parametrize(
    "name",
    some(2, ["smallcopies_broken", "queue_latency_faulty", "host_compute_faulty", "item_broken", "launch_optimizer", "jax_feed"]),
)
def test_what_to_do_in_a_part_of_a_step_speaks_of_no_step(name):
    trace = FIXTURES / f"{name}.sqlite"
    start_ns, end_ns = opened(trace).tuples("SELECT start_ns, end_ns FROM steps WHERE step = 6")[0]
    part = Window.parse(f"{(start_ns + 1000) / 1e9}s..{(end_ns - 1000) / 1e9}s")
    found = opened(trace, Options(window=part)).diagnose()
    causes = [cause for cause in found.causes if cause.fix]
    assert causes
    told = [cause.fix for cause in causes] + [found.why_first or "", *found.notes]
    told += [fact.text for cause in causes for fact in cause.evidence if not fact.nvtx]
    assert [text for text in told if re.search(r"\bsteps?\b", re.sub('"[^"]*"', "", text))] == []


@pytest.mark.thorough
def test_job_without_steps_is_told_in_all():
    job = gapfinder.diagnose_job(*sorted(FIXTURES.glob("straggler_rank*.sqlite")), window="0.06s..0.09s")
    assert job.headline.startswith("Rank 1 arrives late, and 3.27 ms of 4.63 ms (70.5 %) are spent waiting for it, ")
    for renderer in (job_text, job_markdown):
        shown = renderer.render(job, width=100, color=False)
        assert "in all" in shown
        assert not re.search(r"per step|to \w+ a step|1 step:", shown)


def test_steps_are_told_per_step():
    found = opened(FIXTURES / "item_broken.sqlite").diagnose()
    shown = text.render(found, width=100, color=False)
    assert "in all" not in shown
    assert re.search(r"^Ledger +per step +share$", shown, re.MULTILINE)
    assert re.search(r"^Kernels .* times per step$", shown, re.MULTILINE)
    assert "(replayed unchanged, the step takes as long as measured)" in " ".join(shown.split())
