"""`gapfinder views`, and the copy of what it prints in `sql/README.md`."""

import json

from click.testing import CliRunner
from processes import Sandbox

from gapfinder.cli.main import gapfinder
from gapfinder.pipeline import relations
from gapfinder.pipeline.catalogue import catalogue

SAME = "sql/README.md is stale: run `gapfinder views --format markdown -o sql/README.md`"


def printed(*arguments):
    done = CliRunner().invoke(gapfinder, ["views", *arguments], catch_exceptions=False)
    assert done.exit_code == 0
    return done.output


def test_printed_views_are_those_in_the_repository():
    assert (relations.folder() / "README.md").read_text() == printed("--format", "markdown"), SAME


def test_text_names_every_relation_and_column():
    text = printed()
    for relation in catalogue().values():
        assert f"\n{relation.name}: " in text
        assert all(f"\n  {column.name} " in text for column in relation.columns)


def test_json_has_every_relation():
    found = {relation["name"]: relation for relation in json.loads(printed("--format", "json"))}
    assert list(found) == list(catalogue())
    assert found["gaps"]["schema"] == "main"
    assert found["gaps"]["hides"]
    assert (found["window_segments"]["schema"], found["window_segments"]["hides"]) == ("trace", False)


def test_unknown_view_is_refused_with_a_close_name(tmp_path):
    done = Sandbox(tmp_path).gapfinder("views", "gapz")
    assert (done.returncode, done.stderr) == (2, "gapfinder: there is no view 'gapz' (did you mean gaps?)\n")


def test_one_view_is_printed_alone():
    assert "cause of the longest segment" in printed("gaps")
    assert "\nstream_gaps: " not in printed("gaps")
    assert printed("gaps", "--format", "markdown").startswith("### gaps\n")
