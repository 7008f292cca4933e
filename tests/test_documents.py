"""What the README and the guides show is what the program does."""

import doctest
import json
import re
import shlex
import subprocess
import textwrap
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner
from documents import COMMAND, DOCUMENTS, EXAMPLE, GENERATED, examples, printed
from processes import GAPFINDER, TIMEOUT_S, Sandbox
from rich.cells import cell_len
from rich.text import Text
from traces import FIXTURES
from unpack import ROOT
from variations import some

from gapfinder.cli.main import gapfinder
from gapfinder.guides import guides, with_generated, with_links
from gapfinder.render.guides import shown

README = (ROOT / "README.md").read_text()
SHOWN = {document: examples(document.read_text()) for document in DOCUMENTS}
EXAMPLES = [(example, files) for shown, files in SHOWN.values() for example in shown]
GUIDES = {guide.topic: guide for guide in guides()}


@pytest.mark.parametrize(
    ("example", "files"), EXAMPLES, ids=[f"{number} {example.split()[2]}" for number, (example, _) in enumerate(EXAMPLES)]
)
def test_what_is_shown_is_what_is_printed(example, files):
    assert printed(example, files) == example


def test_what_python_shows_is_what_it_prints(monkeypatch):
    monkeypatch.chdir(ROOT)
    session = GUIDES["python"].text.partition("```pycon\n")[2].partition("```")[0]
    shown = doctest.DocTestParser().get_doctest(session, {}, "python.md", None, None)
    assert len(shown.examples) > 3
    assert doctest.DocTestRunner().run(shown).failed == 0


def test_the_facts_of_a_state_are_those_of_the_cause_that_is_named():
    found = re.search(r"`(\w+\.sql)`:\n\n```toml\n(.*?)```", GUIDES["causes"].text, re.DOTALL)
    facts = re.sub(r"^#.*\n", "", found[2], flags=re.MULTILINE)
    assert facts in (ROOT / "sql/trace/40_causes" / found[1]).read_text()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_what_is_generated_is_up_to_date(document):
    text = document.read_text()
    for name, generate in GENERATED.items():
        assert with_generated(text, name, generate()) == text, "python tests/documents.py writes it"


def test_each_generated_part_stands_once():
    text = "".join(document.read_text() for document in DOCUMENTS)
    assert [name for name in GENERATED if text.count(f"<!-- by {name} -->") != 1] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_every_link_leads_somewhere(document):
    links = re.findall(r"\]\((?!https?:)([^)#]+)[^)]*\)", document.read_text())
    assert [link for link in links if not (document.parent / link).exists()] == []


@pytest.mark.parametrize("guide", GUIDES.values(), ids=GUIDES)
def test_a_guide_begins_with_a_question_and_has_an_example(guide):
    assert guide.question.endswith("?")
    start = guide.text.partition("?\n\n")[2].split("\n\n", 3)[:3]  # after two paragraphs at most
    assert any(part.startswith(("```", "<!-- by ")) for part in start)


@pytest.mark.parametrize("guide", GUIDES.values(), ids=GUIDES)
def test_a_guide_fits_a_terminal(guide):
    """Lines of an output that fit into it are not wrapped."""
    lines = shown(guide, 80).splitlines()
    assert max(cell_len(Text.from_ansi(line).plain) for line in lines) <= 80
    assert sum(line.count("…") for line in lines) == guide.text.count("…")  # nothing is cut
    plain = [Text.from_ansi(line).plain.rstrip() for line in lines]
    fitting = [line for example in EXAMPLE.findall(guide.text) for line in example.splitlines() if cell_len(line) <= 80]
    assert [line for line in fitting if line.rstrip() not in plain] == []
    assert [link for link in re.findall(r"\S+\.(?:md|svg)\b", "\n".join(plain)) if "/" in link and "../" in link] == []


@pytest.mark.parametrize("guide", GUIDES.values(), ids=GUIDES)
def test_no_word_is_broken_in_a_terminal(guide):
    """Each word of a table is whole in what is shown."""
    tables = re.findall(r"^\|.*\|$", guide.text, re.MULTILINE)
    words = {word for row in tables for word in re.sub(r"[|`*\\]", " ", with_links(row, lambda text, _: text)).split()}
    seen = Text.from_ansi(shown(guide, 80)).plain
    assert [word for word in words - {"---", "--:"} if word not in seen] == []


@pytest.mark.parametrize("guide", GUIDES.values(), ids=GUIDES)
def test_code_in_a_guide_fits_a_terminal(guide):
    """Code to take is not wrapped, nor is what is typed. What a command prints may be wide."""
    typed = EXAMPLE.sub(lambda example: "```\n" + "\n".join(COMMAND.findall(example[0])) + "\n```", guide.text)
    blocks = re.findall(r"^ *```\w*\n(.*?)^ *```", typed, re.MULTILINE | re.DOTALL)
    assert [line for block in blocks for line in block.splitlines() if cell_len(line) > 80] == []


@pytest.mark.parametrize(
    ("topic", "command"),
    [
        ("output", ["diagnose", "item_broken.sqlite", "--fail-on", "lost>99%"]),
        ("compare", ["compare", "item_broken.sqlite", "item_fixed.sqlite", "--fail-on", "lost>99%"]),
        ("jobs", ["diagnose", "straggler_rank0.sqlite", "straggler_rank1.sqlite", "--fail-on", "lost>99%"]),
        ("whatif", ["whatif", "item_broken.sqlite", "--without", "host_sync"]),
    ],
)
def test_the_guide_names_every_key_of_the_json(command_line, topic, command):
    arguments = [FIXTURES / word if word.endswith(".sqlite") else word for word in command]
    found = json.loads(command_line(*arguments, "--format", "json").output)
    (outline,) = re.findall(rf'```\n(schema +"{re.escape(found["schema"])}".*?)```', GUIDES[topic].text, re.DOTALL)
    outlines = outline + GUIDES["output"].text.partition("gapfinder.diagnosis/2")[2] * ("as in a diagnosis" in outline)
    assert keys(found) - set(re.findall(r"\w+", outlines)) == set()


def keys(found):
    """Every key of a JSON value that is a name; a cause or a number that has a value of its own is none."""
    if isinstance(found, list):
        return set().union(*map(keys, found))
    if not isinstance(found, dict):
        return set()
    return {key for key in found if not key.isdigit()}.union(*map(keys, found.values()))


def test_guides_on_the_command_line(command_line):
    assert command_line("guide").output.count("?\n") >= len(GUIDES) - 2  # a long question takes two lines
    assert command_line("guide", "replay").output == GUIDES["replay"].text
    wrong = command_line("guide", "repaly")
    assert (wrong.status, wrong.output) == (2, "")
    assert "did you mean replay?" in wrong.errors


@pytest.mark.parametrize(("main", "branch", "status"), some(1, [("fixed", "broken", 1), ("broken", "fixed", 0)]))
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
        for step in steps(GUIDES["compare"].text.partition("```yaml\n")[2].partition("```")[0])
    ]
    assert statuses == [status, 0, status]
    assert summary.read_text().startswith("## 1" if status == 0 else "## Slower")
    report = ET.parse(sandbox.work / "gates.xml").getroot()
    assert report.get("failures") == str(status)


def steps(job):
    """What each `run:` runs; a block is indented more than its key."""
    for found in re.finditer(r"^( +)(?:- )?run: (?:\|\n((?:\1 +.*\n)+)|(.+)\n)", job, re.MULTILINE):
        yield textwrap.dedent(found[2] or found[3])


def test_every_option_that_they_name_is_there():
    runner = CliRunner()
    helps = runner.invoke(gapfinder, ["--help"]).output
    helps += "".join(runner.invoke(gapfinder, [name, "--help"]).output for name in gapfinder.list_commands(None))
    helps += runner.invoke(gapfinder, ["workload", "prove", "--help"]).output
    of_nsys = (
        r"nsys (?:profile|export)\b(?:\\\n|[^\n])*"
        r"|--(?:include-(?:json|blobs)|python-sampling|cuda-graph-trace|cuda-um|cpuctxsw|gpuctxsw|gpu-metrics-devices?|osrt-file-access|sample|trace)\b"
    )
    # of torchrun, sqruff and Biome, too
    of_others = r"--(?:fixed|control|hypothesis-profile|guide|no-python|nproc-per-node|quiet|parsing-errors|error-on-warnings)\b"
    text = "".join(document.read_text() for document in DOCUMENTS)
    options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", re.sub(f"{of_nsys}|{of_others}", "", text)))
    assert len(options) > 15
    assert [option for option in options if option not in helps] == []


def test_setting_up_is_one_line():
    commands = [block.partition("\n```")[0] for block in README.split("```sh\n")[1:3]]
    assert [command.count("\n") for command in commands] == [0, 0]
    assert commands[0].endswith(".venv/bin/gapfinder diagnose fixtures/item_broken.sqlite")
    assert commands[1].endswith(".venv/bin/python -m pytest -n 2")
