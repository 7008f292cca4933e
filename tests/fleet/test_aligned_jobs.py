"""The ranks of a job with a trace each, as a fleet tells them once they are aligned."""

import shutil
from contextlib import contextmanager

import polars as pl
import pytest
from jobs import data_parallel, pipeline, validating
from runs import run
from synthetic import MS
from traces import EXPORT, FIXTURES
from variations import some

import gapfinder
from gapfinder.fleet.aligned_row import _split
from gapfinder.fleet.open import open_fleet
from gapfinder.fleet.summary import summary


def write(job, folder):
    folder.mkdir(exist_ok=True)
    for file in folder.iterdir():
        file.unlink()
    return [trace.write(folder / f"rank{rank}.sqlite") for rank, trace in enumerate(job.traces)]


@contextmanager
def fleet_of(tmp_path, job):
    write(job, tmp_path / "job=one")
    run([tmp_path / "**/*.sqlite"], tmp_path / "fleet")
    with open_fleet(tmp_path / "fleet") as fleet:
        yield fleet


def late(steps=6):
    return data_parallel(lambda _: {1: 9 * MS}, steps)


@pytest.fixture(scope="module")
def late_folder(tmp_path_factory):
    """A folder with a job whose second rank is late, and its fleet."""
    folder = tmp_path_factory.mktemp("late")
    with fleet_of(folder, late()):
        return folder


def assert_exact(fleet):
    windows = fleet.rows("SELECT trace_id, window_ns FROM traces ORDER BY ALL")
    assert fleet.rows("SELECT trace_id, sum(ns) AS window_ns FROM ledger_lines GROUP BY trace_id ORDER BY ALL") == windows
    lost = fleet.rows("SELECT trace_id, step, gpu, lost_ns FROM step_totals WHERE lost_ns > 0 ORDER BY ALL")
    by_step = "SELECT trace_id, step, gpu, sum(lost_ns) AS lost_ns FROM step_ledger GROUP BY ALL ORDER BY ALL"
    assert fleet.rows(by_step) == lost


def test_a_job_is_told_as_diagnose_tells_it(late_folder):
    with open_fleet(late_folder / "fleet") as fleet:
        (job,) = fleet.rows("SELECT * FROM jobs")
        waits, works = fleet.rows("SELECT * FROM traces ORDER BY rank")
        lost = {(row["rank"], row["cause"]): row["ns"] for row in fleet.rows("SELECT * FROM ledger_lines")}
        assert_exact(fleet)
        said = summary(fleet, examined=2, unchanged=0)
    told = gapfinder.diagnose_job(late_folder / "job=one")
    assert (job["verdict"], job["late_rank"], job["late_cause"]) == (told.verdict, told.late.rank, told.late.cause)
    assert job["waiting_share"] == pytest.approx(told.late.share)
    said_alike, in_the_fleet = told.headline.partition("; without")[0], job["headline"].partition("; without")[0]
    assert said_alike == in_the_fleet  # it has no launches to replay, so that it knows a range
    assert job["headline"] in said
    assert (waits["verdict"], works["verdict"]) == ("rank_imbalance", "input_pipeline")
    # the window of a trace has one step more than that of the job, which goes from collective to collective
    assert lost[0, "rank_imbalance"] == pytest.approx(9 * MS * waits["steps"], rel=0.001)
    assert lost[0, "communication"] < 0.3 * MS * waits["steps"]


def test_a_validation_of_all_ranks_is_no_part_of_the_steps(tmp_path):
    with fleet_of(tmp_path, validating((0, 1))) as fleet:
        (job,) = fleet.rows("SELECT * FROM jobs")
    assert (job["verdict"], job["late_rank"]) == ("rank_imbalance", 1)
    assert "in 35 of 35 steps" in job["headline"]  # those of test_jobs


@pytest.mark.thorough
def test_a_job_without_a_late_rank_has_no_wait(tmp_path):
    with fleet_of(tmp_path, data_parallel(lambda _: {})) as fleet:
        (job,) = fleet.rows("SELECT * FROM jobs")
        assert_exact(fleet)
        assert not fleet.rows("SELECT * FROM trace_causes WHERE cause = 'rank_imbalance' AND is_finding")
    assert (job["late_rank"], job["late_cause"]) == (None, None)


@pytest.mark.thorough
def test_the_bubble_of_a_pipeline_is_no_finding(tmp_path):
    with fleet_of(tmp_path, pipeline([0, 3 * MS])) as fleet:
        (job,) = fleet.rows("SELECT * FROM jobs")
        assert_exact(fleet)
        assert not fleet.rows("SELECT * FROM trace_causes WHERE cause = 'pipeline_bubble' AND is_finding")
    assert (job["verdict"], job["worst_cause"]) == ("pipeline_bubble", "pipeline_bubble")


@pytest.mark.thorough
def test_a_job_is_aligned_again_when_a_trace_changes(tmp_path):
    with fleet_of(tmp_path, late()):
        pass
    aligned = tmp_path / "fleet" / "job=one" / "aligned.parquet"
    before = aligned.stat().st_mtime_ns
    run([tmp_path / "**/*.sqlite"], tmp_path / "fleet")
    assert aligned.stat().st_mtime_ns == before
    write(late(steps=7), tmp_path / "job=one")
    run([tmp_path / "**/*.sqlite"], tmp_path / "fleet")
    assert aligned.stat().st_mtime_ns > before


@pytest.mark.parametrize("columns", some(1, [["identity"], ["identity", "trace"], []]))
def test_a_damaged_alignment_is_made_again(late_folder, columns):
    """Until then its job is told as if it were not aligned."""
    with open_fleet(late_folder / "fleet") as fleet:
        before = fleet.rows("SELECT verdict FROM jobs")
    aligned = late_folder / "fleet" / "job=one" / "aligned.parquet"
    pl.read_parquet(aligned, hive_partitioning=False).select(columns).write_parquet(aligned)
    with open_fleet(late_folder / "fleet") as fleet:
        assert fleet.rows("SELECT verdict FROM jobs") != before
    assert run([late_folder / "**/*.sqlite"], late_folder / "fleet") == 0
    with open_fleet(late_folder / "fleet") as fleet:
        assert fleet.rows("SELECT verdict FROM jobs") == before


def test_a_copy_of_a_trace_counts_once(tmp_path):
    write(late(), tmp_path / "job=one")
    gapfinder.convert(tmp_path / "job=one" / "rank0.sqlite", tmp_path / "job=one" / "kept_rank0.duckdb")
    run([tmp_path / "job=one/*"], tmp_path / "fleet")
    with open_fleet(tmp_path / "fleet") as fleet:
        assert fleet.rows("SELECT sum(gpus) AS gpus FROM jobs") == [{"gpus": 2}]
        (bad,) = fleet.rows("SELECT * FROM bad_traces")
    assert bad["error"].startswith("holds the same recording as ")


def test_of_a_job_with_a_trace_that_cannot_be_used_nothing_is_certain(tmp_path):
    write(late(), tmp_path / "job=one")
    (tmp_path / "job=one" / "rank2.sqlite").write_bytes(EXPORT.read_bytes()[:9999])
    run([tmp_path / "job=one/*"], tmp_path / "fleet")
    with open_fleet(tmp_path / "fleet") as fleet:
        (job,) = fleet.rows("SELECT * FROM jobs")
    assert job["headline"].startswith("Not certain, because what cannot be used is left out (rank2.sqlite).")


@pytest.mark.thorough
def test_traces_that_share_no_collective_stay_as_they_are(tmp_path):
    """Two programs in one folder, one of which reduces and the other of which gathers."""
    folder = tmp_path / "job=one"
    folder.mkdir()
    for rank, name in enumerate(("ncclDevKernel_AllReduce_Sum_f32_RING_LL", "ncclDevKernel_AllGather_RING_LL")):
        job = data_parallel(lambda _: {1: 9 * MS}, collective=lambda _, name=name: {"name": name})
        job.traces[rank].write(folder / f"rank{rank}.sqlite")
    run([tmp_path / "**/*.sqlite"], tmp_path / "fleet")
    with open_fleet(tmp_path / "fleet") as fleet:
        (job,) = fleet.rows("SELECT * FROM jobs")
        assert job["verdict"] is None
        assert_exact(fleet)


def test_another_day_makes_no_further_ranks(tmp_path, monkeypatch):
    """Traces of one name, each told from the folder that it lies in."""
    for day, computes, started in (("monday", 4 * MS, 0), ("tuesday", 5 * MS, 86_400)):
        (tmp_path / day / "job=one").mkdir(parents=True)
        job = data_parallel(lambda _: {1: 9 * MS}, compute=computes)
        for trace in job.traces:
            for row in trace.tables["TARGET_INFO_SESSION_START_TIME"]:
                row["utcEpochNs"] += started * 1000 * MS
        write(job, tmp_path / day / "job=one")
        monkeypatch.chdir(tmp_path / day)
        run(["job=one/*.sqlite"], tmp_path / "fleet")
    with open_fleet(tmp_path / "fleet") as fleet:
        traces = fleet.rows("SELECT trace_id, verdict FROM traces ORDER BY started_utc, rank")
        (told,) = fleet.rows("SELECT traces, gpus, late_rank FROM jobs")
    assert [row["verdict"] for row in traces[2:]] == ["rank_imbalance", "input_pipeline"], "the last day is aligned"
    assert len({row["trace_id"] for row in traces}) == len(traces) == 4
    assert told == {"traces": 4, "gpus": 4, "late_rank": 1}


def test_a_fleet_among_traces_is_named(late_folder, command_line):
    fleet = late_folder / "fleet"
    for command in ("diagnose", "compare", "report"):
        done = command_line(command, fleet, EXPORT, *(["-o", late_folder / "page.html"] if command == "report" else []))
        assert (done.status, done.output) == (3, "")
        assert f"{fleet} is the folder of a fleet: open it with `gapfinder sql`" in done.errors


def test_bubbles_that_a_trace_knows_stay():
    """Of one report for each node, which has the stages of a pipeline, the job splits what is between the reports alone."""
    lines = [
        {"gpu": 0, "cause": cause, "lost_ns": ns, "segments": 1}
        for cause, ns in (("communication", 10), ("rank_imbalance", 5), ("pipeline_bubble", 50))
    ]
    window = [{"gpu": 0, "start_ns": 0, "end_ns": 100}]
    split = _split(lines, window, {0: {"rank_imbalance": [(0, 4)], "pipeline_bubble": [(4, 7)]}}, ("gpu",))
    assert {line["cause"]: line["lost_ns"] for line in split} == {
        "communication": 8,
        "rank_imbalance": 4,
        "pipeline_bubble": 53,
    }


def test_what_several_gpus_lose_is_their_mean(tmp_path):
    """Of a cause that one of two GPUs does not know, too."""
    (tmp_path / "job=one").mkdir()
    shutil.copy(FIXTURES / "tensor_parallel.sqlite", tmp_path / "job=one" / "rank0.sqlite")
    run([tmp_path / "job=one/*.sqlite"], tmp_path / "fleet")
    with open_fleet(tmp_path / "fleet") as fleet:
        (told,) = fleet.rows("SELECT sum(per_step_ns) FILTER (cause <> 'step') / sum(per_step_ns) AS parts FROM rank_losses")
        (row,) = fleet.rows("SELECT list_sum(map_values(shares)) AS parts FROM page_rows")
        assert fleet.rows("SELECT DISTINCT cause FROM job_causes WHERE worst_share > 0.6") == []
    assert told["parts"] == pytest.approx(0.5)
    assert row["parts"] == pytest.approx(1)
