"""Every labelled trace: the right verdict, no false alarm, an exact ledger, the line to blame and the fix; and how often."""

import json

import accuracy
import pytest
from traces import FIXTURES, LABELS, TRUTH, UNUSABLE, USABLE, analysis, diagnosis, labels, measured

from gapfinder.comparison.compare import compare
from gapfinder.errors import TraceError
from gapfinder.render.diagnosis.json import render

STALE = "run: python tests/accuracy.py"
FIXED = [label for label in USABLE if label["file"].endswith("_broken.sqlite") and "fixed_ms" in label]
WORTH = 0.03  # of the window: what labels.toml calls a false alarm


def by_file(labels):
    return pytest.mark.parametrize("label", labels, ids=lambda label: label["file"].removesuffix(".sqlite"))


# One test a trace and not one a claim: each would diagnose the trace anew.
@by_file(USABLE)
def test_diagnosis_of_labelled_trace(label):
    found = diagnosis(FIXTURES / label["file"])
    if "miss" in label:
        assert found.verdict not in label["cause"], "it is right: take `miss` out of its label"
    else:
        assert found.verdict in label["cause"]
    assert_ledger_is_exact(found)
    assert abs(found.replay_error) < 0.01, "unchanged, a replay is what was measured"
    assert accuracy.line(label, found) == accuracy.kept().get(label["file"]), STALE
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


@by_file(FIXED)
def test_fix_wins_what_was_predicted(label):
    """It is faster beyond noise, by what was measured without gapfinder; what was removed is closed, as was predicted."""
    before, after = (measured(FIXTURES / label["file"].replace("broken", state)) for state in ("broken", "fixed"))
    assert after.quantities.step_ns / 1e6 == pytest.approx(label["fixed_ms"], rel=0.005)
    found = compare([before, after], []).last
    assert found.obstacles == []
    assert found.difference
    assert found.speedup.low < found.speedup.ratio < found.speedup.high
    assert found.speedup.low > 1
    assert [line.change for line in found.causes if line.name == label["whatif"]] == ["closed"]
    assert found.prediction.causes == [label["whatif"]]
    assert abs(found.prediction.error) < 0.08
    for line_ns, trace in ("before_ns", before), ("after_ns", after):
        ledger = sum(getattr(line, line_ns) for line in [found.compute, *found.causes])
        assert ledger == pytest.approx(trace.quantities.step_ns, rel=1e-9)


@by_file(UNUSABLE)
def test_unusable_trace_is_refused_in_one_line(label):
    with pytest.raises(TraceError) as refused, analysis(FIXTURES / label["file"]):
        pass
    assert "\n" not in str(refused.value)
    assert accuracy.line(label, None) == accuracy.kept().get(label["file"]), STALE


def test_every_trace_has_a_label():
    assert {path.name for path in FIXTURES.glob("*.sqlite")} <= {label["file"] for label in LABELS}
    assert all((FIXTURES / label["file"]).exists() for label in LABELS)
    assert {path.name for path in FIXTURES.iterdir() if path.is_dir() and not (path / TRUTH).exists()} == {"jobs"}


def test_folder_with_truth_is_a_labelled_trace(tmp_path):
    (tmp_path / "labels.toml").write_text("[[trace]]\nfile = 'old.sqlite'\ncause = ['copy']\n")
    new = tmp_path / "new"
    new.mkdir()
    (new / "trace.sqlite").write_text("")
    (new / TRUTH).write_text("cause = ['storage_io']\nmiss = 'it is called host_compute'\n")
    label = {"file": "new/trace.sqlite", "cause": ["storage_io"], "miss": "it is called host_compute"}
    assert labels(tmp_path)[1:] == [label]


def test_guide_has_the_sums_of_the_list():
    lines = list(accuracy.kept().values())
    assert [each.trace for each in lines] == [label["file"] for label in LABELS]
    assert accuracy.in_guide(lines) == accuracy.GUIDE.read_text(), STALE
    assert accuracy.PLACE.read_text() == accuracy.listed(lines)


def test_table_counts_verdicts_by_truth():
    right = accuracy.Line("a", "copy", "copy", "1 of 1", "1.10 ms", "1.00 ms", "+10.0 %")
    wrong = accuracy.Line("b", "copy", "host_sync", "1 of 2", "0.80 ms", "1.00 ms", "-20.0 %")
    assert accuracy.table([right, wrong, accuracy.Line("c", "refused", "refused", "")]).splitlines() == [
        "| truth | verdict | traces | ledgers exact | fixes | mean error | worst |",
        "| --- | --- | --: | --: | --: | --: | --: |",
        "| `copy` | `copy` | 1 | 1 of 1 | 1 | 10.0 % | 10.0 % |",
        "| `copy` | `host_sync` | 1 | 1 of 2 | 1 | 20.0 % | 20.0 % |",
        "| `refused` | `refused` | 1 |  |  |  |  |",
        "| all | 2 are right | 3 | 2 of 3 | 2 | 15.0 % | 20.0 % |",
    ]
