"""What the README shows is what the program does."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner
from traces import FIXTURES

from gapfinder.causes import documented, table
from gapfinder.cli import gapfinder

README = (Path(__file__).parents[1] / "README.md").read_text()


def test_the_causes_are_those_of_the_rules():
    assert table() in README
    assert len(documented()) == len(list((Path(__file__).parents[1] / "sql" / "4_causes").glob("*.sql")))


@pytest.mark.parametrize("block", re.findall(r"```\n\$ (.*?)\n```", README, re.DOTALL), ids=lambda block: block.split()[1])
def test_what_is_shown_is_what_is_printed(block):
    command, _, shown = block.partition("\n")
    arguments = [str(FIXTURES.parent / word) if word.startswith("fixtures/") else word for word in shlex.split(command)[1:]]
    assert CliRunner().invoke(gapfinder, arguments).output.rstrip() == shown


def test_every_option_that_it_names_is_there():
    runner = CliRunner()
    helps = "".join(runner.invoke(gapfinder, [name, "--help"]).output for name in gapfinder.list_commands(None))
    for option in ("--step", "--window", "--format", "--by", "--config", "--device", "--min-gap", "--output", "--cause", "--without", "--speed-up"):
        assert option in helps


def test_setting_up_is_one_line():
    commands = [block.partition("\n```")[0] for block in README.split("```sh\n")[1:3]]
    assert [command.count("\n") for command in commands] == [0, 0]
    assert commands[0].endswith(".venv/bin/gapfinder diagnose fixtures/item_broken.sqlite")
    assert commands[1].endswith(".venv/bin/python -m pytest -n 2")
