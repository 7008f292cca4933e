"""Each query of the cookbook gives the rows that were looked at when it was written, and some are counted by hand again."""

import sqlite3
import tomllib
from contextlib import closing
from pathlib import Path

import pytest
from traces import FIXTURES, opened

from gapfinder.cli.reference import cookbook
from gapfinder.query.cookbook import queries

HERE = Path(__file__).parent
COOKBOOK = HERE.parents[1] / "sql" / "cookbook"
ASKED_OF = tomllib.loads((HERE / "fixtures.toml").read_text())
SHOWN = 8  # rows of an answer that its CSV holds


def answer(name, fixture):
    """The answer as a polars frame, and the window that it speaks of."""
    trace = opened(FIXTURES / fixture)
    [window] = trace.rows('SELECT start_ns, end_ns FROM "window"')
    return trace.frame((COOKBOOK / f"{name}.sql").read_text()), (window["start_ns"], window["end_ns"])


def exported(fixture, query):
    """Rows of the export's own tables, with nothing of gapfinder between."""
    with closing(sqlite3.connect(f"file:{FIXTURES / fixture}?mode=ro", uri=True)) as connection:
        return connection.execute(query).fetchall()


def test_each_query_has_expected_rows():
    assert len(queries()) >= 16
    assert set(queries()) == set(ASKED_OF) == {file.stem for file in HERE.glob("*.csv")}


@pytest.mark.parametrize("file", queries().values(), ids=queries())
def test_a_query_begins_with_its_question_and_what_to_look_at(file):
    question, look, *_ = file.read_text().splitlines()
    assert question.startswith("-- ")
    assert question.endswith("?")
    assert look.startswith("-- ")


def test_readme_lists_the_queries():
    assert cookbook() in (COOKBOOK / "README.md").read_text()


def test_on_the_command_line(command_line):
    asked = command_line("sql", FIXTURES / "item_broken.sqlite", "--cookbook", "syncs_that_cost_most", "--format", "csv")
    assert asked.output.splitlines()[0] == (HERE / "syncs_that_cost_most.csv").read_text().splitlines()[0]
    assert set(queries()) <= set(command_line("views", "cookbook").output.split())
    wrong = command_line("sql", FIXTURES / "item_broken.sqlite", "--cookbook", "sync_that_cost_most")
    assert (wrong.status, wrong.output) == (2, "")
    assert "did you mean syncs_that_cost_most?" in wrong.errors


@pytest.mark.parametrize(("name", "fixture"), sorted(ASKED_OF.items(), key=lambda asked: asked[1]))
def test_query_has_the_expected_rows(name, fixture):
    frame, _ = answer(name, fixture)
    assert frame.head(SHOWN).write_csv() == (HERE / f"{name}.csv").read_text()


@pytest.mark.parametrize("file", queries().values(), ids=queries())
def test_query_runs_on_a_trace_without_the_data_it_asks_for(file):
    """One report of one GPU without NVTX, Python samples, the GIL or OS calls."""
    answer(file.stem, "starved_cuda12.sqlite")


def test_pageable_copies_are_those_of_the_export():
    frame, (start, end) = answer("pageable_copies", "smallcopies_broken.sqlite")
    [pageable] = exported("smallcopies_broken.sqlite", "SELECT id FROM ENUM_CUDA_MEM_KIND WHERE label = 'Pageable'")
    [(copies, ns)] = exported(
        "smallcopies_broken.sqlite",
        'SELECT count(*), sum("end" - start) FROM CUPTI_ACTIVITY_KIND_MEMCPY '
        f"WHERE {pageable[0]} IN (srcKind, dstKind) AND start BETWEEN {start} AND {end - 1}",
    )
    assert frame["copies"].sum() == copies
    assert frame["copying_ms"].sum() == pytest.approx(ns / 1e6, abs=0.001)


def test_a_graph_launch_submits_what_has_its_correlation_id():
    frame, (start, end) = answer("activities_per_launch", "cuda_graph_nodes.sqlite")
    found = exported(
        "cuda_graph_nodes.sqlite",
        f"SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE start BETWEEN {start} AND {end - 1} GROUP BY correlationId",
    )
    assert frame.select("calls", "activities").rows() == [(len(found), sum(kernels for (kernels,) in found))]


def test_waits_for_the_gil_are_its_ranges():
    frame, (start, end) = answer("gil_waits_by_thread", "pysample_gil.sqlite")
    found = exported(
        "pysample_gil.sqlite",
        'SELECT count(*), sum(n."end" - n.start) FROM NVTX_EVENTS n LEFT JOIN StringIds s ON s.id = n.textId '
        f"WHERE coalesce(n.text, s.value) = 'Waiting for GIL' AND n.start BETWEEN {start} AND {end - 1} "
        'GROUP BY n.globalTid ORDER BY sum(n."end" - n.start) DESC',
    )
    waits = [row for row in frame.rows(named=True) if row["doing"] == "Waiting for GIL"]
    assert [(row["times"], row["total_ms"]) for row in waits] == [(times, round(ns / 1e6, 3)) for times, ns in found]


def idle_ns(fixture, start, end):
    """How long no kernel, copy or memset of the export ran between two times."""
    tables = ("KERNEL", "MEMCPY", "MEMSET")
    there = {name for (name,) in exported(fixture, "SELECT name FROM sqlite_master")}
    each = [f'SELECT start, "end" FROM CUPTI_ACTIVITY_KIND_{kind}' for kind in tables if f"CUPTI_ACTIVITY_KIND_{kind}" in there]
    idle, until = 0, start
    for begin, finish in sorted(exported(fixture, " UNION ALL ".join(each))):
        idle += max(0, min(begin, end) - until)
        until = max(until, min(finish, end))
    return idle + max(0, end - until)


def test_a_synchronize_call_that_costs_nothing_waits_for_a_busy_gpu():
    frame, _ = answer("syncs_that_cost_nothing", "healthy_gemm.sqlite")
    [(start, end)] = exported(
        "healthy_gemm.sqlite",
        'SELECT r.start, r."end" FROM CUPTI_ACTIVITY_KIND_RUNTIME r JOIN StringIds s ON s.id = r.nameId '
        "WHERE s.value LIKE 'cudaDeviceSynchronize%' AND r.\"end\" - r.start > 1000000",
    )
    assert frame["waited_ms"].to_list() == [round((end - start) / 1e6, 3)]
    assert idle_ns("healthy_gemm.sqlite", start, end) < 0.01 * (end - start)


def test_time_lost_in_fsync_is_that_in_which_the_gpu_is_idle():
    frame, (start, end) = answer("os_calls_in_gaps", "checkpoint_broken.sqlite")
    calls = exported(
        "checkpoint_broken.sqlite",
        'SELECT o.start, o."end" FROM OSRT_API o JOIN StringIds s ON s.id = o.nameId '
        f"WHERE s.value = 'fsync' AND o.start BETWEEN {start} AND {end - 1}",
    )
    [row] = [row for row in frame.rows(named=True) if row["call"] == "fsync"]
    lost_ns = sum(idle_ns("checkpoint_broken.sqlite", *call) for call in calls)
    assert (row["gaps"], row["lost_ms"]) == (len(calls), round(lost_ns / 1e6, 3))


def test_a_window_with_validations_between_its_parts_is_not_what_lies_between_its_ends():
    """The first and the last validation of this trace have steps between them."""
    trace = opened(FIXTURES / "pyg_gin.sqlite")
    ((loss_ns, window_ns),) = trace.tuples(
        "SELECT (SELECT sum(end_ns - start_ns) FROM window_segments WHERE cause = 'launch_bound'), length_ns FROM \"window\""
    )
    frame, _ = answer("lost_by_range_and_cause", "pyg_gin.sqlite")
    launches = frame.filter(frame["cause"] == "launch_bound")
    assert launches["percent_of_window"].sum() == pytest.approx(100 * loss_ns / window_ns, abs=0.1)
    waited, _ = answer("syncs_that_cost_most", "pyg_gin.sqlite")
    calls = trace.frame(
        "FROM blocking_calls AS c SEMI JOIN window_regimes AS r ON c.start_ns < r.end_ns AND c.end_ns > r.start_ns"
    )
    assert waited["lost_ms"].sum() == pytest.approx(calls["lost_ns"].sum() / 1e6, abs=0.01)
