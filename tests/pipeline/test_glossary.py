"""The glossary: every word is explained once, and is where a reader looks for it."""

import re
from html import unescape

from test_views import printed

from gapfinder.pipeline import glossary
from gapfinder.pipeline.cause_spec import USUAL_SHARE
from gapfinder.pipeline.causes import built_in
from gapfinder.report.page import page


def test_every_entry_of_the_file_is_read():
    words = glossary.glossary()
    assert len(words) == glossary.text().count("\n- **") > 40
    assert all(meaning.endswith(".") and "\n" not in meaning and "`" not in meaning for meaning in words.values())


def test_every_state_that_a_cause_explains_is_in_it():
    states = {rule.state for cause in built_in().values() for rule in cause.states}
    assert {f"state {state}" for state in states} <= glossary.glossary().keys()


def test_it_is_printed_in_each_format():
    assert printed("glossary").startswith("activity\n  A piece of work that a GPU runs")
    assert printed("glossary", "--format", "markdown").startswith("- **activity**: A piece of work that a GPU runs")
    assert printed("cookbook", "--format", "markdown").startswith("- **activities_per_launch**: How many activities")
    assert printed("glossary", "--format", "json").startswith('{\n  "activity": "A piece of work')


def test_the_list_of_views_says_where_it_is():
    assert printed().endswith("\nTo see what the words mean: gapfinder views glossary\n")


def test_each_page_has_it():
    found = re.findall(r"<dt [^>]*>(.*?)</dt><dd>(.*?)</dd>", page("a page", {}, "report.js"))
    assert {unescape(word): unescape(meaning) for word, meaning in found} == glossary.glossary()


def test_a_finding_is_as_large_as_the_causes_say():
    said = glossary.glossary()["finding"]
    assert f"costs {100 * USUAL_SHARE:.0f} % " in said
    for key, verb in ("finding_share", "costs"), ("finding_gain", "step"):
        others = {name: getattr(cause, key) for name, cause in built_in().items() if getattr(cause, key) != USUAL_SHARE}
        [(causes, percent)] = re.findall(rf"{verb} .*?\((.*?): (\d+) %\)", said)
        assert dict.fromkeys(causes.split(" and "), int(percent) / 100) == others
