"""Results draw themselves as charts of Altair, which show the numbers of the ledger."""

import sys

import altair as alt
import pytest
from traces import FIXTURES, diagnosis, opened

import gapfinder
from gapfinder.errors import UsageError

TRACE, FIXED = (FIXTURES / f"tokenize_{kind}.sqlite" for kind in ("broken", "fixed"))


def data_of(chart):
    """What a chart shows; it is a valid one."""
    assert isinstance(chart, alt.Chart)
    drawn = chart.to_dict(format="vega-lite")
    return drawn["datasets"][drawn["data"]["name"]]


def test_ledger_of_diagnosis_is_that_of_its_trace():
    trace = opened(TRACE)
    assert trace.diagnose().ledger.equals(trace.ledger())


def test_diagnosis_is_drawn_as_its_ledger():
    found = diagnosis(TRACE)
    shown = data_of(found.plot())
    assert {row["row"] for row in shown} == {"GPU 0"}
    assert sum(row["ms"] for row in shown) == pytest.approx(found.window.step_ns / 1e6)
    assert [row["ns"] for row in shown] == found.ledger["ns"].to_list()


def test_every_gpu_has_a_bar():
    found = diagnosis(FIXTURES / "ddp_straggler_broken.sqlite")
    assert {row["row"] for row in data_of(found.plot())} == {f"GPU {device.gpu}" for device in found.devices}


@pytest.mark.thorough
def test_job_is_drawn_by_rank():
    job = gapfinder.diagnose_job(*(FIXTURES / f"straggler_rank{rank}.sqlite" for rank in (0, 1)))
    shown = data_of(job.plot())
    for rank in job.ranks:
        assert sum(row["share"] for row in shown if row["row"] == f"rank {rank.rank}") == pytest.approx(1)


@pytest.mark.thorough
def test_comparison_is_drawn_before_and_after():
    shown = data_of(gapfinder.compare(TRACE, FIXED).plot())
    before, after = (sum(row["ms"] for row in shown if row["row"].startswith(which)) for which in ("before", "after"))
    assert before / after == pytest.approx(1.4, abs=0.01)


def test_what_if_is_drawn_beside_the_measured_step():
    answer = opened(TRACE).whatif(without=["host_sync", "launch_bound"])
    rows = ["as measured", "without host_sync", "without launch_bound", "all together"]
    assert [row["row"] for row in data_of(answer.plot())] == rows


def test_without_altair_one_line_says_what_to_install(monkeypatch):
    found = diagnosis(TRACE)
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(UsageError, match=r"pip install altair"):
        found.plot()


def test_verdict_is_as_in_the_json():
    found = diagnosis(TRACE)
    assert found.verdict == found.verdict.cause == "host_sync"
    assert found.verdict.headline == found.headline
