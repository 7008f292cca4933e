"""What is said of long work."""

import io

import pytest
from rich.console import Console
from traces import FIXTURES

import gapfinder
from gapfinder.cli.progress import bar, time_left
from gapfinder.pipeline.stages import Stage, Stages, one_of


def test_each_stage_says_how_much_is_done():
    said = []
    stages = Stages(said.append)
    for layer in ("20_activities", "30_gaps", "40_causes", "20_activities", "30_gaps", "50_ledger"):
        stages.reach(layer)
    expected = [("laying out the timeline", 0.35), ("finding gaps", 0.53), ("finding causes", 0.8)]
    assert [(stage, stage.done) for stage in said] == expected


def test_a_diagnosis_says_each_stage_once():
    said = []
    with gapfinder.open(FIXTURES / "pysample_item.sqlite", progress=said.append) as trace:
        trace.diagnose()
    assert said[:4] == ["reading the trace", "laying out the timeline", "finding gaps", "finding causes"]
    assert len(said) == len(set(said))


@pytest.mark.thorough
def test_of_several_traces_each_is_a_part():
    said = []
    gapfinder.diagnose_job(*(FIXTURES / f"straggler_rank{rank}.sqlite" for rank in (0, 1)), progress=said.append)
    done = [stage.done for stage in said if isinstance(stage, Stage)]
    assert done == sorted(done)
    assert done[0] == 0
    assert "straggler_rank1.sqlite: finding gaps" in said
    assert next(stage.done for stage in said if stage == "straggler_rank1.sqlite: reading the trace") == 0.5


def test_words_without_a_share_are_of_the_beginning():
    said = []
    one_of(said.append, 1, 4)("writing")
    assert (said[0], said[0].done) == ("writing", 0.25)


@pytest.mark.parametrize(
    ("past_s", "done", "told"),
    [(1, 0.5, ""), (10, 0, ""), (10, 0.25, "about 30 s left"), (53, 0.53, "about 47 s left"), (800, 0.8, "about 3 min left")],
)
def test_an_estimate_is_given_for_long_work_only(past_s, done, told):
    assert time_left(past_s, done) == told


def test_the_bar_says_how_long_the_rest_takes():
    now = [0.0]
    screen = io.StringIO()
    with bar(Console(file=screen, force_terminal=True, width=100), clock=lambda: now[0]) as update:
        update("reading the trace")
        now[0] = 53.0
        update(Stage("finding gaps", 0.53))
    assert "finding gaps" in screen.getvalue()
    assert "about 47 s left" in screen.getvalue()
