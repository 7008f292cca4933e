"""Jobs of workloads/ on two H200s, with a report of each rank: who was late, why, on which line, and what that costs."""

import sqlite3
from contextlib import closing

import accuracy
import pytest
from traces import FIXTURES, JOBS, ranks_of
from variations import some

import gapfinder
from gapfinder.units import percent
from gapfinder.workload.outcome import of_job


@pytest.mark.parametrize("label", some(1, JOBS), ids=lambda label: label["file"])
def test_a_labelled_job(label):
    job = gapfinder.diagnose_job(*ranks_of(label))
    found = of_job(job)
    assert found.verdict in label["cause"]
    assert found.rank == label.get("late_rank")
    if "line" in label:
        assert found.lines[found.verdict][0].endswith(label["line"])
    if "fixed_ms" in label:
        assert found.predicted_ns[label["whatif"]] / 1e6 == pytest.approx(label["fixed_ms"], rel=0.02)
    assert accuracy.line_of_job(label, job) == accuracy.kept().get(label["file"]), "run: python tests/accuracy.py"


@pytest.mark.thorough
def test_ranks_that_are_even():
    job = gapfinder.diagnose_job(*ranks_of({"file": "jobs/slow_rank_control"}))
    assert [cause.cause for cause in job.causes if cause.is_finding] == []
    assert abs(job.replay_error) < 0.001


def test_every_job_has_its_truth_beside_it():
    found = {path.stem.rpartition("_")[0] for path in (FIXTURES / "jobs").glob("*.sqlite")}
    assert found == {label["file"].removeprefix("jobs/") for label in JOBS}


def test_a_transfer_is_as_large_as_its_own_calls():
    """nsys recorded the first calls without their activities: the first activity that it has would move 101 MB in 36 us.

    It is not in the window, and so not among the transfers.
    """
    with gapfinder.open(FIXTURES / "pipeline_gpipe.sqlite") as trace:
        transfers = trace.diagnose().job.transfers
        assert {row["bytes"] for row in trace.rows("SELECT DISTINCT bytes FROM communication_kinds")} == {16 << 20, None}
    assert {transfer.bytes for transfer in transfers} == {16 << 20}
    assert max(transfer.bus_gb_per_s or 0 for transfer in transfers) < 450  # NVLink of an H200, one way


def test_damage_says_in_which_trace_it_is(tmp_path):
    """Half of the OS calls of one rank are gone."""
    whole, damaged = FIXTURES / "straggler_rank0.sqlite", tmp_path / "damaged.sqlite"
    damaged.write_bytes((FIXTURES / "straggler_rank1.sqlite").read_bytes())
    with closing(sqlite3.connect(damaged)) as connection, connection:
        connection.execute("DELETE FROM OSRT_API WHERE rowid % 2 = 0")
    job = gapfinder.diagnose_job(whole, damaged)
    (note,) = job.damage
    assert note.startswith("damaged.sqlite: Rows of OSRT_API are gone")
    assert note in job.notes


def test_the_advice_on_a_pipeline_has_the_numbers_that_are_shown():
    """The ledger between its collectives is another (65.4 % and 59.7 %), because it leaves out parts of steps."""
    with gapfinder.open(FIXTURES / "pipeline_gpipe.sqlite") as trace:
        diagnosis = trace.diagnose()
    first, second = (percent(device.compute_share) for device in diagnosis.devices)
    assert f"rank 1 computes {second} of the time, rank 0 {first}." in diagnosis.job.fix
