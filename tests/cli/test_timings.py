"""`gapfinder --timings` says where the seconds of a run went."""

import re

from processes import Sandbox
from traces import FIXTURES

from gapfinder.render.timings import render
from gapfinder.system.timings import Timing


def test_timings_go_to_standard_error_and_change_no_output(tmp_path, command_line):
    plain = command_line("diagnose", FIXTURES / "item_broken.sqlite", "--format", "json")
    timed = Sandbox(tmp_path).gapfinder("--timings", "diagnose", FIXTURES / "item_broken.sqlite", "--format", "json")
    assert timed.stdout == plain.output
    assert "s in all" not in plain.errors
    stages, parts = (
        set(re.findall(r"^  (.+?) +\d+\.\d\d s +\d+%$", half, re.MULTILINE))
        for half in timed.stderr.split("of these the longest")
    )
    assert {"reading", "20_activities", "30_gaps", "50_ledger", "replay", "queries"} <= stages
    assert parts
    assert {part.partition(": ")[0] for part in parts} <= stages


def test_the_longest_stage_comes_first_and_parts_add_up():
    text = render([Timing("reading", "KERNEL", 1.5), Timing("30_gaps", "gaps", 1.0), Timing("30_gaps", "segments", 1.0)], 4.0)
    assert [line.split() for line in text.splitlines()[1:3]] == [["30_gaps", "2.00", "s", "50%"], ["reading", "1.50", "s", "38%"]]
