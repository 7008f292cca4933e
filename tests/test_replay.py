"""Replays: unchanged they give what was measured, and without a cause what the real fix gave."""

from statistics import mean

import pytest
from synthetic import MS, US, Trace
from traces import FIXTURES, USABLE, analysis

from gapfinder.replay.model import Change, Replay
from gapfinder.replay.predict import predict
from gapfinder.replay.timeline import Timeline

PREDICTED = [label for label in USABLE if "whatif" in label]


@pytest.mark.parametrize("label", USABLE, ids=lambda label: label["file"])
def test_unchanged_it_is_what_was_measured(label):
    with analysis(FIXTURES / label["file"]) as analysed:
        timeline = Timeline.of(analysed)
        assert Replay(timeline, Change()).length_ns() == pytest.approx(timeline.measured_ns, rel=0.01)


def test_without_the_cause_it_is_what_the_fix_gave():
    errors = []
    for label in PREDICTED:
        with analysis(FIXTURES / label["file"]) as analysed:
            window = analysed.rows('SELECT * FROM "window"')[0]
            step_ns = (window["end_ns"] - window["start_ns"]) / window["steps"]
            errors.append(abs(predict(analysed, step_ns).step_ns[label["whatif"]] / 1e6 / label["fixed_ms"] - 1))
    assert len(errors) == len(PREDICTED) > 5
    assert max(errors) <= 0.08
    assert mean(errors) <= 0.03


@pytest.fixture
def synchronized():
    """Five steps: 1 ms of code, a launch, a kernel of 3 ms, and a wait for it."""
    trace = Trace()
    for start in range(0, 25 * MS, 5 * MS):
        trace.nvtx("step", start, start + 5 * MS)
        trace.kernel(start + MS + 10 * US, start + 4 * MS + 10 * US, (start + MS, start + MS + 5 * US))
        trace.call("cudaStreamSynchronize_v3020", start + MS + 6 * US, start + 4 * MS + 20 * US)
    return trace


def test_a_sync_that_is_gone_lets_the_code_hide(synchronized):
    with synchronized.analysed() as analysed:
        step_ns = predict(analysed, 5 * MS).step_ns
    assert step_ns["host_sync"] == pytest.approx(3.4 * MS, rel=0.1)
    assert "copy" not in step_ns
