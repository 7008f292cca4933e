"""What the README shows is what the program does."""

import shlex
from pathlib import Path

from click.testing import CliRunner
from traces import FIXTURES

from gapfinder.causes import documented, table
from gapfinder.cli import gapfinder

README = (Path(__file__).parents[1] / "README.md").read_text()


def test_the_causes_are_those_of_the_rules():
    assert table() in README
    assert len(documented()) == len(list((Path(__file__).parents[1] / "sql" / "4_causes").glob("*.sql")))


def test_the_first_diagnosis_is_a_real_one():
    command, _, shown = README.partition("```\n$ ")[2].partition("\n```")[0].partition("\n")
    arguments = shlex.split(command)[1:]
    arguments[1] = str(FIXTURES.parent / arguments[1])
    assert CliRunner().invoke(gapfinder, arguments).output.rstrip() == shown


def test_every_option_that_it_names_is_there():
    runner = CliRunner()
    helps = "".join(runner.invoke(gapfinder, [name, "--help"]).output for name in gapfinder.list_commands(None))
    for option in ("--step", "--window", "--format", "--by", "--config", "--device", "--min-gap", "--output", "--cause"):
        assert option in helps


def test_setting_up_is_one_line():
    commands = [block.partition("\n```")[0] for block in README.split("```sh\n")[1:3]]
    assert [command.count("\n") for command in commands] == [0, 0]
    assert commands[0].endswith(".venv/bin/gapfinder diagnose fixtures/item_broken.sqlite")
    assert commands[1].endswith(".venv/bin/python -m pytest -n 2")
