"""Every labelled trace: the right verdict, no false alarm, an exact ledger, the line to blame."""

import json

import pytest
from traces import FIXTURES, LABELS, UNUSABLE, USABLE, analysis, diagnosis

from gapfinder.errors import TraceError
from gapfinder.render.json import render

WORTH = 0.03  # of the window: what labels.toml calls a false alarm


def by_file(labels):
    return pytest.mark.parametrize("label", labels, ids=lambda label: label["file"].removesuffix(".sqlite"))


# One test a trace and not one a claim: each would diagnose the trace anew.
@by_file(USABLE)
def test_diagnosis(label):
    found = diagnosis(FIXTURES / label["file"])
    assert found.verdict in label["cause"]
    assert_ledger_is_exact(found)
    alarms = {cause.cause for cause in found.causes if cause.share >= WORTH} | {found.verdict}
    assert not alarms & set(label.get("must_not", []))
    if "line" in label:
        assert_line_is_blamed(found, label["line"])


def assert_ledger_is_exact(found):
    assert found.devices
    for device in found.devices:
        assert device.window_ns == found.window.end_ns - found.window.start_ns
        assert device.compute_ns + sum(device.causes.values()) == device.window_ns
        assert min(device.causes.values(), default=1) > 0
    by_device = {cause.cause: sum(device.causes.get(cause.cause, 0) for device in found.devices) for cause in found.causes}
    assert by_device == {cause.cause: cause.lost_ns for cause in found.causes}


def assert_line_is_blamed(found, line):
    causes = json.loads(render(found, width=80, color=False))["causes"]
    evidence = next(cause["evidence"] for cause in causes if cause["cause"] == found.verdict)
    assert any(fact.get("source_line", "").endswith(line) for fact in evidence)


@by_file(UNUSABLE)
def test_unusable(label):
    with pytest.raises(TraceError) as refused, analysis(FIXTURES / label["file"]):
        pass
    assert "\n" not in str(refused.value)


def test_every_trace_has_a_label():
    assert {path.name for path in FIXTURES.glob("*.sqlite")} == {label["file"] for label in LABELS}
