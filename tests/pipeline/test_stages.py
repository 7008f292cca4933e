"""What is said of long work."""

import time

from traces import FIXTURES

import gapfinder
from gapfinder.pipeline.stages import Stages


def test_an_estimate_is_given_for_long_work_only(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    said = []
    stages = Stages(said.append)
    stages.reach("20_timeline")
    now[0] += 53
    for layer in ("30_gaps", "40_causes", "20_timeline", "30_gaps"):
        stages.reach(layer)
    now[0] += 747
    stages.reach("50_ledger")
    assert said == [
        "laying out the timeline",
        "finding gaps (53% done, about 47 s left)",
        "finding causes (80% done, about 3 min left)",
    ]


def test_a_diagnosis_says_each_stage_once():
    said = []
    with gapfinder.open(FIXTURES / "pysample_item.sqlite", progress=said.append) as trace:
        trace.diagnose()
    assert said[:4] == ["reading the trace", "laying out the timeline", "finding gaps", "finding causes"]
    assert len(said) == len(set(said))
