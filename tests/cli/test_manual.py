"""The manual page is what the commands are, and `man` shows it."""

import shutil
import subprocess
import tomllib

import click
import pytest
from unpack import ROOT

from gapfinder.cli.commands import gaps
from gapfinder.cli.manual import FILE, manual


def test_manual_is_up_to_date():
    """To update it: python -m gapfinder.cli.manual."""
    assert FILE.read_text() == manual()


def test_wheel_installs_the_manual():
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["shared-data"] == {str(FILE.relative_to(ROOT)): "share/man/man1/gapfinder.1"}


@pytest.mark.skipif(not shutil.which("groff"), reason="needs groff")
def test_manual_as_it_is_shown():
    shown = formatted(FILE.read_text())
    assert "gapfinder diagnose [OPTIONS] TRACE..." in shown
    assert "--memory-limit SIZE" in shown
    assert "EXIT STATUS" in shown


@pytest.mark.skipif(not shutil.which("groff"), reason="needs groff")
def test_help_is_shown_as_it_is_written(monkeypatch):
    """No word of it is taken for a request or an escape, and marked lines stay lines."""
    option = click.Option(["--other"], help=".TH is \\fBnot\\fP a request")
    monkeypatch.setattr(gaps, "gaps", click.Command("gaps", params=[option], help="New.\n\n\b\nfirst line\n'second line'"))
    shown = formatted(manual())
    assert ".TH is \\fBnot\\fP a request" in shown
    assert "first line\n       'second line'\n" in shown


def formatted(page):
    done = subprocess.run(
        ["groff", "-man", "-ww", "-Tutf8", "-P-cbou"], input=page, capture_output=True, encoding="utf-8", check=True
    )
    assert done.stderr == ""
    return done.stdout
