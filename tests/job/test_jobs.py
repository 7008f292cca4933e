"""Jobs of several ranks: who was late, why, and what the job would take without it."""

import pytest
from jobs import SEND_RECV, Ranks, data_parallel
from synthetic import MS, US
from traces import FIXTURES

import gapfinder

STEP_MS = 6.3 + 0.2  # a step in which nobody is late: loading, computing, two all-reduces


def exact(job):
    for rank in job.ranks:
        assert rank.compute_ns + sum(rank.causes.values()) == rank.window_ns
    return job


def test_one_rank_is_always_late():
    """It loads for 9 ms longer, on a clock 7 ms apart; without that the step takes what it takes on the others."""
    job = exact(data_parallel(lambda _: {1: 9 * MS}).diagnosed())
    assert (job.verdict, job.late.rank, job.late.cause) == ("rank_imbalance", 1, "input_pipeline")
    assert job.late.steps == {1: job.steps}
    assert job.late.waiting_ns == pytest.approx(9 * MS, rel=0.001)
    assert job.ranks[0].causes["rank_imbalance"] == pytest.approx(9 * MS * job.steps, rel=0.001)
    assert "rank_imbalance" not in job.ranks[1].causes
    assert job.step_ns == pytest.approx((STEP_MS + 9) * MS, rel=0.02)
    assert job.predicted_step_ns == pytest.approx(STEP_MS * MS - 1 * MS, rel=0.02)  # without its loading, the other one's stays
