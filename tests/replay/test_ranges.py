"""Where a number would be false, the step without a cause is a range, with the reason for it."""

import pytest
from jobs import data_parallel
from synthetic import MS, US, Synthetic
from traces import FIXTURES, opened

import gapfinder
from gapfinder.comparison import words
from gapfinder.diagnosis.diagnose import diagnose
from gapfinder.job.replay import JobReplay
from gapfinder.render import renderer
from gapfinder.replay import ranges
from gapfinder.units import between, duration

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
    """One of them was replayed without it: that is as good as a number, and is said to be of it."""
    diagnosis, cause = storage_io_of(writes_now_and_then({2}))
    assert cause.predicted_range_ns is None
    assert cause.predicted_step_ns == pytest.approx(STEP, rel=0.001)
    assert cause.why_range.endswith("in replays of single ones without it, all of its time was saved")
    text = " ".join(renderer("diagnosis", "text").render(diagnosis, width=80, color=False).split())
    assert f"without it the step takes about {duration(cause.predicted_step_ns)}: {cause.why_range}" in text


@pytest.mark.parametrize("shares", [None, [0.5, 1.0]], ids=["number", "range"])
def test_a_what_if_of_single_steps_is_that_of_the_diagnosis(tmp_path, monkeypatch, shares):
    if shares:
        monkeypatch.setattr(ranges, "_won_shares", lambda *_: shares)
    path = writes_now_and_then({2}).write(tmp_path / "t.sqlite")
    with gapfinder.open(path) as trace:
        cause = next(one for one in trace.diagnose().causes if one.cause == "storage_io")
        alone = trace.whatif(without="storage_io")
        both = trace.whatif(without=["storage_io"], speed_up=["cpu=2"])
    (one,) = alone.changes
    assert (one.predicted_step_ns, one.predicted_range_ns, one.why_range) == (
        cause.predicted_step_ns,
        cause.predicted_range_ns,
        cause.why_range,
    )
    assert (cause.predicted_range_ns is None) == (shares is None)
    assert (alone.together_step_ns, alone.note) == (cause.predicted_step_ns, None)
    told = duration(cause.predicted_step_ns) if shares is None else between(*cause.predicted_range_ns)
    text = renderer("whatif", "text").render(alone, width=400, color=False)
    assert f" {told} " in text
    assert cause.why_range in text
    assert (both.changes[0], both.together_step_ns) == (one, None)
    assert "no replay of all steps removes storage_io" in both.note


def test_a_comparison_says_that_single_steps_were_replayed(tmp_path):
    before, after = (writes_now_and_then(steps).write(tmp_path / f"{len(steps)}.sqlite") for steps in ({2}, {}))
    (pair,) = gapfinder.compare(before, after).pairs
    assert pair.prediction.causes == ["storage_io"]
    assert words.prediction(pair.prediction).startswith("Replays of single steps of BEFORE predicted")


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


def test_what_goes_besides_the_cause_is_a_time(monkeypatch):
    """A replay that saves five times what the cause took saves what other causes took, too."""
    monkeypatch.setattr(ranges, "_won_shares", lambda *_: [5.0])
    diagnosis, cause = storage_io_of(writes_now_and_then({2}))
    more = duration((1 - cause.share) * diagnosis.window.step_ns - cause.predicted_step_ns)
    assert f"all of its time was saved, and up to {more} a step more, because" in cause.why_range


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


def test_two_steps_of_a_job_are_replayed():
    late, even = (data_parallel(lambda _, late=late: late, steps=2).diagnosed() for late in ({1: 9 * MS}, {}))
    assert (late.verdict, late.predicted_step_ns) == ("rank_imbalance", even.step_ns)


def test_a_job_that_cannot_be_replayed(monkeypatch):
    """At best the step takes what the late rank computes."""
    monkeypatch.setattr(JobReplay, "of", lambda *_: None)
    job = data_parallel(lambda _: {1: 9 * MS}).diagnosed()
    assert (job.verdict, job.predicted_step_ns) == ("rank_imbalance", None)
    low, high = job.predicted_range_ns
    computing_share = max(rank.compute_share for rank in job.ranks)
    assert computing_share < 1 - job.late.share
    assert (low, high) == (round(computing_share * job.step_ns), round(job.step_ns))
    assert "could not be replayed" in " ".join(renderer("job", "text").render(job, width=80, color=False).split())
