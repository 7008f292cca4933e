"""Where a number would be false, the step without a cause is a range, with the reason for it."""

import pytest
from jobs import data_parallel
from synthetic import MS, US, Synthetic
from traces import FIXTURES, opened

from gapfinder.diagnosis.diagnose import diagnose
from gapfinder.render import renderer
from gapfinder.replay import ranges

STEPS, KERNELS, EACH = 30, 300, 30 * US
STEP = KERNELS * EACH
WRITING = 40 * MS


def writes_now_and_then(steps):
    """A loop that writes a file after some of its steps; of its 30 steps, 16 in a row are replayed."""
    trace = Synthetic()
    at = 10 * MS
    for step in range(STEPS):
        for number in range(KERNELS):
            start = at + number * EACH
            name = "first" if number == 0 else f"gemm_{number % 7}"
            trace.kernel(start + 10 * US, start + EACH - 5 * US, (start, start + 5 * US), name=name)
        at += STEP
        if step in steps:
            trace.os("write", at, at + WRITING)
            at += WRITING
    return trace


def storage_io_of(trace):
    """The diagnosis, and its cause storage_io."""
    with trace.analysed() as analysed:
        diagnosis = diagnose(analysed)
    return diagnosis, next(one for one in diagnosis.causes if one.cause == "storage_io")


def test_a_cause_of_other_steps_than_the_replayed_ones():
    """One of them was replayed without it: that is as good as a number."""
    _, cause = storage_io_of(writes_now_and_then({2}))
    assert cause.predicted_range_ns is None
    assert cause.predicted_step_ns == pytest.approx(STEP, rel=0.001)


def test_a_cause_that_does_not_always_cost_the_same(monkeypatch):
    monkeypatch.setattr(ranges, "_won_shares", lambda *_: [0.5, 1.0])
    diagnosis, cause = storage_io_of(writes_now_and_then({2}))
    assert cause.predicted_step_ns is None
    low, high = cause.predicted_range_ns
    assert low == pytest.approx(STEP, rel=0.001)
    assert high == pytest.approx((STEP + diagnosis.window.step_ns) / 2, rel=0.001)
    assert "in some steps it costs more than in others" in cause.why_range
    text = " ".join(renderer("diagnosis", "text").render(diagnosis, width=80, color=False).split())
    assert cause.why_range in text
    assert f'"predicted_range_ns": [\n    {low},' in renderer("diagnosis", "json").render(diagnosis, width=80, color=False)


def test_a_cause_of_every_step_has_a_number():
    _, cause = storage_io_of(writes_now_and_then(set(range(STEPS))))
    assert cause.predicted_range_ns is None
    assert cause.predicted_step_ns == pytest.approx(STEP, rel=0.06)


def test_one_rank_does_not_know_what_it_waits_for():
    """Mended, this rank's step took 10.60 ms; but the late rank is in another trace."""
    diagnosis = diagnose(opened(FIXTURES / "straggler_rank0.sqlite"))
    (cause,) = [one for one in diagnosis.causes if one.cause == "communication"]
    low, high = cause.predicted_range_ns
    assert low / 1e6 == pytest.approx(10.60, rel=0.01)
    assert high == round(diagnosis.window.step_ns)
    assert "another process or rank" in cause.why_range
    assert "; without it 10.6 ms to 33.7 ms" in diagnosis.headline


def test_a_job_that_cannot_be_replayed():
    """One step in common is too short for a replay. At best the step takes what the late rank computes."""
    job = data_parallel(lambda _: {1: 9 * MS}, steps=2).diagnosed()
    assert (job.verdict, job.predicted_step_ns) == ("rank_imbalance", None)
    low, high = job.predicted_range_ns
    computing_share = max(rank.compute_share for rank in job.ranks)
    assert computing_share < 1 - job.late.share
    assert (low, high) == (round(computing_share * job.step_ns), round(job.step_ns))
    assert "could not be replayed" in " ".join(renderer("job", "text").render(job, width=80, color=False).split())
