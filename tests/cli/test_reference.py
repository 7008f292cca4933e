"""The reference of the commands is what the commands are."""

import re

import click
from click.testing import CliRunner

from gapfinder.cli.commands import gaps
from gapfinder.cli.main import gapfinder
from gapfinder.cli.reference import FILE, reference


def test_it_is_up_to_date():
    """To update it: python -m gapfinder.cli.reference."""
    assert FILE.read_text() == reference()


def test_every_command_and_option_of_the_helps_is_in_it():
    text = FILE.read_text()
    runner = CliRunner()
    for path in commands():
        section = text.partition(f"\n## {' '.join(['gapfinder', *path])}\n")[2].partition("\n## ")[0]
        help_ = runner.invoke(gapfinder, [*path, "--help"]).output
        options = set(re.findall(r"^ +(?:-\w, )?(--[\w-]+)", help_, re.MULTILINE)) - {"--help"}
        assert section
        assert options or path in {("guide",), ("workload", "list"), ("workload", "run")}, "these have none"
        assert [option for option in options if option not in section] == []


def commands():
    """Arguments that call each command; the one group is `workload`."""
    names = gapfinder.list_commands(None)
    assert len(names) > 5
    return [(name,) for name in names if name != "workload"] + [("workload", name) for name in ("list", "prove", "run")]


def test_a_new_command_needs_no_entry(monkeypatch):
    other = click.Option(["--other"], help="a | b")
    monkeypatch.setattr(gaps, "gaps", click.Command("gaps", params=[other], help="New.\n\nMore."))
    text = reference()
    assert "- [`gapfinder gaps`](#gapfinder-gaps): New.\n" in text
    assert "\nMore.\n\n| option | meaning |\n| --- | --- |\n| `--other TEXT` | a \\| b |\n" in text
