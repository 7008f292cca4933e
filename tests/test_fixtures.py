"""Every labelled trace: the right verdict, no false alarm, an exact ledger, the line to blame and the fix; and how often."""

import json
import lzma
import re
import tomllib

import accuracy
import pytest
from documents import DOCUMENTS
from traces import FIXTURES, JOBS, LABELS, UNUSABLE, USABLE, analysis, diagnosis, labels, measured
from unpack import PACKED, unpacked

from gapfinder.comparison.compare import compare
from gapfinder.errors import TraceError
from gapfinder.render.diagnosis.json import render

STALE = "run: python tests/accuracy.py"
FIXED = [label for label in USABLE if label["file"].endswith("_broken.sqlite") and "fixed_ms" in label]
WORTH = 0.03  # of the window: what is a false alarm


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
    fixes = {cause.cause: cause.fix for cause in found.causes if cause.is_finding}
    assert {cause: fix for cause, fix in label.get("fix", {}).items() if fix not in fixes[cause]} == {}
    assert [words for words in label.get("no_fix", []) if any(words in fix for fix in fixes.values())] == []


def assert_ledger_is_exact(found):
    assert found.devices
    for device in found.devices:
        assert device.window_ns == found.window.length_ns
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
    assert [label["file"] for label in LABELS] == sorted(path.name for path in FIXTURES.glob("*.sqlite"))


def test_each_key_of_a_truth_is_in_the_list_of_keys():
    listed = set(re.findall(r"^\| `(\w+)` \|", (PACKED / "README.md").read_text(), re.MULTILINE))
    truths = [tomllib.loads(truth.read_text()) for truth in PACKED.rglob("*.toml")]
    assert {key for truth in truths for key in truth} <= listed


def test_traces_that_documents_name_are_there_unpacked():
    """What a reader of a fresh clone types finds its trace. All others are compressed."""
    text = "".join(document.read_text() for document in DOCUMENTS)
    named = {path for glob in re.findall(r"fixtures/(\S+\.sqlite)", text) for path in PACKED.glob(glob)}
    kept = {path for program in kept_programs(text) for path in PACKED.glob(f"{program}_*.sqlite")}
    assert set(PACKED.rglob("*.sqlite")) == named | kept


def kept_programs(text):
    """Those of `gapfinder workload prove PROGRAM... --kept fixtures`."""
    return [program for found in re.findall(r"workload prove (.*) --kept fixtures", text) for program in found.split()]


def test_fixtures_take_little_space():
    assert sum(path.stat().st_size for path in PACKED.rglob("*") if path.is_file()) < 25e6


def test_fixtures_are_unpacked_once(tmp_path):
    packed, folder = tmp_path / "packed", tmp_path / "unpacked"
    (packed / "jobs").mkdir(parents=True)
    (packed / "jobs" / "one.sqlite.xz").write_bytes(lzma.compress(b"one"))
    (packed / "two.sqlite").write_bytes(b"two")
    assert contents(unpacked(packed, folder)) == {"jobs/one.sqlite": b"one", "two.sqlite": b"two"}
    first = (folder / "jobs" / "one.sqlite").stat().st_ctime_ns
    unpacked(packed, folder)
    assert (folder / "jobs" / "one.sqlite").stat().st_ctime_ns == first
    (packed / "jobs" / "one.sqlite.xz").write_bytes(lzma.compress(b"another"))
    (packed / "two.sqlite").unlink()
    assert contents(unpacked(packed, folder)) == {"jobs/one.sqlite": b"another"}


def test_what_was_unpacked_in_part_is_unpacked_again(tmp_path):
    packed, folder = tmp_path / "packed", tmp_path / "unpacked"
    for each in (packed, folder):
        each.mkdir()
    (packed / "one.sqlite.xz").write_bytes(lzma.compress(b"one"))
    (folder / "one.sqlite").write_bytes(b"o")
    assert contents(unpacked(packed, folder)) == {"one.sqlite": b"one"}


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_truth_lies_beside_its_trace(tmp_path):
    (tmp_path / "new.nsys-rep").write_text("")
    (tmp_path / "new.toml").write_text("cause = ['storage_io']\nmiss = 'it is called host_compute'\n")
    label = {"file": "new.nsys-rep", "cause": ["storage_io"], "miss": "it is called host_compute"}
    assert labels(tmp_path) == [label]


def test_guide_has_the_sums_of_the_list():
    lines = list(accuracy.kept().values())
    assert [each.trace for each in lines] == [label["file"] for label in [*LABELS, *JOBS]]
    assert accuracy.in_guide(lines) == accuracy.GUIDE.read_text(), STALE
    assert accuracy.PLACE.read_text() == accuracy.listed(lines)


def test_table_counts_what_is_right_by_truth():
    right = accuracy.Line("a", "copy", "copy", "1 of 1", "1.10 ms", "1.00 ms", "+10.0 %")
    wrong = accuracy.Line("b", "copy", "host_sync", "1 of 2", "0.80 ms", "1.00 ms", "-20.0 %")
    assert accuracy.table([right, wrong, accuracy.Line("c", "refused", "refused", "")]).splitlines() == [
        "| truth | right | ledgers exact | fixes | mean error | worst |",
        "| --- | --: | --: | --: | --: | --: |",
        "| `copy` | 1 of 2 | 2 of 3 | 2 | 15.0 % | 20.0 % |",
        "| `refused` | 1 of 1 |  |  |  |  |",
        "| all | 2 of 3 | 2 of 3 | 2 | 15.0 % | 20.0 % |",
    ]
