"""A fleet, asked in SQL."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from runs import RANKS
from traces import diagnosis

from gapfinder.cli.main import gapfinder
from gapfinder.errors import TraceError, UsageError
from gapfinder.fleet.catalogue import catalogue
from gapfinder.fleet.open import open_fleet
from gapfinder.pipeline import relations

SAME = "sql/fleet/views.md is stale: run `gapfinder views --fleet --format markdown -o sql/fleet/views.md`"


@pytest.fixture(scope="module")
def opened(kept):
    with open_fleet(kept) as found:
        yield found


def asked(kept, query, *more):
    done = CliRunner().invoke(gapfinder, ["sql", str(kept), query, "--format", "json", *more])
    if done.exception:
        raise done.exception
    return json.loads(done.output)


@pytest.mark.thorough
def test_every_trace_is_there(fleet, kept):
    rows = asked(kept, "SELECT trace, good, job, rank FROM traces")
    made = fleet[1]
    assert {Path(row["trace"]) for row in rows if row["good"]} == set(made.good)
    assert {Path(row["trace"]) for row in rows if not row["good"]} == set(made.damaged)
    assert {(row["job"], row["rank"]) for row in rows} == {(f"train{job:02}", rank) for job in range(2) for rank in range(RANKS)}


def test_ledger_has_the_diagnosis_of_each_trace(fleet, opened):
    path = fleet[1].good[-1]
    found = diagnosis(path)
    (row,) = opened.rows(f"SELECT * FROM traces WHERE trace = '{path}'")
    assert (row["verdict"], row["headline"], row["step_ns"]) == (found.verdict, found.headline, found.window.step_ns)
    lines = opened.rows(f"SELECT * FROM ledger_lines WHERE trace = '{path}'")
    assert {line["cause"]: line["ns"] for line in lines} == {"compute": found.devices[0].compute_ns, **found.devices[0].causes}
    causes = opened.rows(f"SELECT * FROM trace_causes WHERE trace = '{path}'")
    assert [(row["cause"], row["is_finding"], row["predicted_step_ns"]) for row in causes] == [
        (cause.cause, cause.is_finding, cause.predicted_step_ns) for cause in found.causes
    ]


def test_ledgers_steps_and_shares_add_up(fleet, opened):
    of_windows = "SELECT window_ns, sum(ns) AS ns FROM traces INNER JOIN ledger_lines USING (trace_id)"
    sums = opened.rows(f"{of_windows} GROUP BY trace_id, window_ns")
    assert len(sums) == len(fleet[1].good)
    assert all(row["ns"] == row["window_ns"] for row in sums)  # each has one GPU
    lost = opened.rows("SELECT trace_id, step, gpu, lost_ns FROM step_totals WHERE lost_ns > 0 ORDER BY ALL")
    by_cause = "SELECT trace_id, step, gpu, sum(lost_ns) AS lost_ns FROM step_ledger"
    assert opened.rows(f"{by_cause} GROUP BY ALL ORDER BY ALL") == lost
    for view, of in (("fleet_causes", "()"), ("day_causes", "day"), ("job_causes", "job")):
        sums = opened.rows(f"SELECT sum(share) AS share FROM {view} GROUP BY {of}")
        assert [row["share"] for row in sums] == pytest.approx([1] * len(sums))


def test_the_slow_rank_stands_out(fleet, opened):
    """Its step takes 1.5 times as long as that of the others, and nobody else's does."""
    rows = opened.rows("SELECT * FROM outlier_ranks WHERE cause = 'step'")
    assert {Path(row["trace"]) for row in rows} == set(fleet[1].slow) & set(fleet[1].good) != set()
    assert [row["excess_share"] for row in rows] == pytest.approx([0.5] * len(rows), abs=0.04)


def test_traces_are_counted_by_day(fleet, opened):
    days = opened.rows("SELECT CAST(day AS VARCHAR) AS day, traces FROM day_causes GROUP BY ALL ORDER BY day")
    assert [row["day"] for row in days] == ["2026-06-01", "2026-06-02"]
    assert sum(row["traces"] for row in days) == len(fleet[1].good)


@pytest.mark.parametrize("query", ["SELECT * FROM read_csv('/etc/passwd')", "CREATE TABLE t (a INT)", "FROM '/etc/passwd'"])
def test_queries_only_read_the_fleet(kept, query):
    with pytest.raises(UsageError):
        asked(kept, query)


def test_options_of_a_trace_are_refused(kept):
    with pytest.raises(UsageError, match="--device is for a trace"):
        asked(kept, "FROM traces", "--device", "0")


def test_other_commands_refuse_a_fleet_and_say_what_it_is(kept):
    done = CliRunner().invoke(gapfinder, ["diagnose", str(kept)])
    assert isinstance(done.exception, TraceError)
    assert "is the folder of a fleet" in str(done.exception)


def test_catalogue_has_every_view(opened):
    assert {row["relation"] for row in opened.rows("FROM catalogue")} - {"catalogue"} == set(catalogue())


def test_printed_views_are_those_in_the_repository():
    printed = CliRunner().invoke(gapfinder, ["views", "--fleet", "--format", "markdown"]).output
    assert (relations.folder() / "fleet" / "views.md").read_text() == printed, SAME


def test_the_memory_limit_is_that_of_the_fleet(kept):
    (row,) = asked(kept, "SELECT current_setting('memory_limit') AS most", "--memory-limit", "1GB")
    assert row["most"] == "686.6 MiB"  # of 1 GB, the rest is for Python
