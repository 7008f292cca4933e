"""Jobs of workloads/ on two H200s, with a report of each rank: who was late, why, on which line, and what that costs."""

import pytest
from traces import FIXTURES

import gapfinder
from gapfinder.workload.outcome import outcome

STEP_MS_WHEN_FIXED = 15.4  # of slow_rank, as it measured itself under the profiler


def of(name):
    return outcome(sorted((FIXTURES / "jobs").glob(f"{name}_rank*.sqlite")))


@pytest.mark.thorough
def test_a_slow_rank():
    found = of("slow_rank_faulty")
    assert found.verdict_and_rank == "input_pipeline on rank 1"
    assert found.lines["input_pipeline"][0].endswith("slow_rank.py:33")
    assert found.predicted_ns["input_pipeline"] / 1e6 == pytest.approx(STEP_MS_WHEN_FIXED, rel=0.05)


@pytest.mark.thorough
def test_ranks_that_are_even():
    """Their CPUs run 150 ms ahead, so that each collective is queued long before what it waits for runs."""
    job = gapfinder.diagnose_job(FIXTURES / "jobs" / "slow_rank_control_rank*.sqlite")
    assert (job.verdict, job.late, [cause.cause for cause in job.causes if cause.is_finding]) == ("gpu_bound", None, [])
    assert abs(job.replay_error) < 0.001


def test_a_slow_rank_that_changes():
    found = of("changing_slow_rank_faulty")
    assert (found.verdict, found.rank) == ("input_pipeline", None)
    assert found.lines["input_pipeline"][0].endswith("changing_slow_rank.py:37")
    # kernels beside a waiting collective are 13 % slower: with them as they are, it would be 21.5 ms
    assert found.predicted_ns["input_pipeline"] / 1e6 == pytest.approx(20.0, rel=0.02)
