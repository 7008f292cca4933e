"""Jobs of workloads/ on two H200s, with a report of each rank: who was late, why, on which line, and what that costs."""

import tomllib

import pytest
from traces import FIXTURES
from variations import some

import gapfinder
from gapfinder.workload.outcome import outcome

JOBS = FIXTURES / "jobs"
NAMES = sorted(truth.stem for truth in JOBS.glob("*.toml"))


@pytest.mark.parametrize("name", some(1, NAMES))
def test_a_labelled_job(name):
    label = tomllib.loads((JOBS / f"{name}.toml").read_text())
    found = outcome(traces(name))
    assert found.verdict in label["cause"]
    assert found.rank == label.get("late_rank")
    if "line" in label:
        assert found.lines[found.verdict][0].endswith(label["line"])
    if "fixed_ms" in label:
        assert found.predicted_ns[label["whatif"]] / 1e6 == pytest.approx(label["fixed_ms"], rel=0.02)


@pytest.mark.thorough
def test_ranks_that_are_even():
    job = gapfinder.diagnose_job(*traces("slow_rank_control"))
    assert [cause.cause for cause in job.causes if cause.is_finding] == []
    assert abs(job.replay_error) < 0.001


def test_every_job_has_its_truth_beside_it():
    assert {path.stem.rpartition("_")[0] for path in JOBS.glob("*.sqlite")} == set(NAMES)


def traces(name):
    return sorted(JOBS.glob(f"{name}_rank*.sqlite"))
