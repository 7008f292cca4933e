"""What the README shows is what the program does."""

import re
import shlex
import subprocess
import textwrap
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner
from processes import GAPFINDER, TIMEOUT_S, Sandbox
from traces import FIXTURES

from gapfinder.cli.main import gapfinder
from gapfinder.pipeline.causes import table

README = (Path(__file__).parents[1] / "README.md").read_text()


def test_table_of_causes_is_that_of_their_files():
    assert table() in README


@pytest.mark.parametrize("block", re.findall(r"```\n\$ (.*?)\n```", README, re.DOTALL), ids=lambda block: block.split()[1])
def test_what_is_shown_is_what_is_printed(block):
    command, _, shown = block.partition("\n")
    arguments = [str(FIXTURES.parent / word) if word.startswith("fixtures/") else word for word in shlex.split(command)[1:]]
    assert CliRunner().invoke(gapfinder, arguments).output.rstrip() == shown


@pytest.mark.parametrize(("main", "branch", "status"), [("broken", "fixed", 0), ("fixed", "broken", 1)])
def test_the_job_for_github_runs(tmp_path, main, branch, status):
    """As GitHub does: bash -e for each step, the ones that always run after a failed one too."""
    sandbox = Sandbox(tmp_path)
    (sandbox.work / "traces").mkdir()
    for name, kind in (("main", main), ("branch", branch)):
        (sandbox.work / "traces" / f"{name}.sqlite").symlink_to(FIXTURES / f"tokenize_{kind}.sqlite")
    program = tmp_path / "gapfinder"
    program.write_text(f'#!/bin/sh\nexec {shlex.join(GAPFINDER)} "$@"\n')
    program.chmod(0o755)
    summary = tmp_path / "summary.md"
    path = f"{tmp_path}:{sandbox.environment['PATH']}"
    environment = sandbox.environment | {"PATH": path, "GITHUB_STEP_SUMMARY": str(summary)}
    statuses = [
        subprocess.run(["bash", "-e", "-c", step], env=environment, cwd=sandbox.work, check=False, timeout=TIMEOUT_S).returncode
        for step in steps(README.partition("```yaml\n")[2].partition("```")[0])
    ]
    assert statuses == [status, 0, status]
    assert summary.read_text().startswith("## 1" if status == 0 else "## Slower")
    report = ET.parse(sandbox.work / "gates.xml").getroot()
    assert report.get("failures") == str(status)


def steps(job):
    """What each `run:` runs; a block is indented more than its key."""
    for found in re.finditer(r"^( +)(?:- )?run: (?:\|\n((?:\1 +.*\n)+)|(.+)\n)", job, re.MULTILINE):
        yield textwrap.dedent(found[2] or found[3])


def test_every_option_that_it_names_is_there():
    runner = CliRunner()
    helps = runner.invoke(gapfinder, ["--help"]).output
    helps += "".join(runner.invoke(gapfinder, [name, "--help"]).output for name in gapfinder.list_commands(None))
    helps += runner.invoke(gapfinder, ["workload", "prove", "--help"]).output
    of_nsys = (
        r"nsys (?:profile|export)\b(?:\\\n|[^\n])*"
        r"|--(?:include-(?:json|blobs)|python-sampling|cuda-graph-trace|cpuctxsw|sample|trace)\b"
    )
    of_others = r"--(?:fixed|control|hypothesis-profile|plot|rounds)\b"
    options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", re.sub(f"{of_nsys}|{of_others}", "", README)))
    assert len(options) > 15
    assert [option for option in options if option not in helps] == []


def test_setting_up_is_one_line():
    commands = [block.partition("\n```")[0] for block in README.split("```sh\n")[1:3]]
    assert [command.count("\n") for command in commands] == [0, 0]
    assert commands[0].endswith(".venv/bin/gapfinder diagnose fixtures/item_broken.sqlite")
    assert commands[1].endswith(".venv/bin/python -m pytest -n 2")
