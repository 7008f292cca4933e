"""Completion in real shells, as the guide sets it up."""

import os
import shlex
import shutil
import sqlite3
import subprocess
from contextlib import closing

import click
import pytest
from processes import GAPFINDER
from traces import FIXTURES
from variations import some

from gapfinder.cli import completion
from gapfinder.ingest.nsys.range_names import range_names
from gapfinder.pipeline.catalogue import catalogue
from gapfinder.pipeline.config import read_config

# Shells complete by a program's name: one that stands for an installed gapfinder.
PROGRAM = (
    '#!/bin/sh\nexec {python} -c "import sys; sys.argv[0] = \'gapfinder\'; from gapfinder.cli.main import main; main()" "$@"\n'
)
COMPLETED = [
    (("dia",), {"diagnose"}),
    (("",), {"capture", "compare", "diagnose", "doctor", "gaps", "whatif", "workload"}),
    (("diagnose", "--fa"), {"--fail-on"}),
    (("diagnose", "--format", "m"), {"markdown"}),
    (("gaps", "--by", ""), {"device", "stream"}),
    (("workload", "p"), {"prove"}),
    (("workload", "run", "host_"), {"host_compute", "host_sync"}),
    (("workload", "prove", "copy", "storage"), {"storage_io"}),
    (("gaps", "--cause", "launch"), {"launch_bound"}),
    (("whatif", "--without", "host_s"), {"host_sync"}),
    (("diagnose", "--fail-on", "los"), {"lost"}),
    (("views", "stream_g"), {"stream_gaps"}),
    (("views", "--fleet", "job_c"), {"job_causes"}),
    (("diagnose", str(FIXTURES / "item_broken.sqlite"), "--step", "for"), {"forward"}),
    (("diagnose", str(FIXTURES / "item_broken.sqlite"), "--step", "st"), {"step"}),
]
IDS = [" ".join(words) or "nothing" for words, _ in COMPLETED]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("bin")
    program = found / "gapfinder"
    program.write_text(PROGRAM.format(python=shlex.quote(GAPFINDER[0])))
    program.chmod(0o755)
    return found


def run(folder, shell, script):
    if not shutil.which(shell):
        pytest.skip(f"no {shell} here")
    command = [shell, "-f", "-c", script] if shell == "zsh" else [shell, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, env=environment(folder))
    assert done.stderr == ""
    return done.stdout


def environment(folder):
    return os.environ | {"PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}


@pytest.mark.parametrize(("words", "expected"), some(2, COMPLETED), ids=IDS)
def test_bash(folder, words, expected):
    """What bash does at a tab: it calls the function that is registered for the command."""
    typed = " ".join(f"'{word}'" for word in ("gapfinder", *words))
    script = f"""
        eval "$(_GAPFINDER_COMPLETE=bash_source gapfinder)"
        COMP_WORDS=({typed}); COMP_CWORD={len(words)}
        function=$(complete -p gapfinder | sed 's/.*-F \\([^ ]*\\).*/\\1/')
        $function gapfinder '{words[-1]}' gapfinder
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    found = set(run(folder, "bash", script).split())
    assert found == expected if words != ("",) else found >= expected


@pytest.mark.parametrize(("words", "expected"), some(2, COMPLETED), ids=IDS)
def test_fish(folder, words, expected):
    script = f"_GAPFINDER_COMPLETE=fish_source gapfinder | source; complete -C 'gapfinder {' '.join(words)}'"
    found = {line.partition("\t")[0] for line in run(folder, "fish", script).splitlines()}
    assert found == expected if words != ("",) else found >= expected


@pytest.mark.parametrize(("words", "expected"), some(2, COMPLETED), ids=IDS)
def test_zsh(folder, words, expected):
    """The script loads, and what it asks the program for has the words; zsh completes at a terminal only."""
    loaded = 'autoload -U compinit; compinit -D; eval "$(_GAPFINDER_COMPLETE=zsh_source gapfinder)"; print $_comps[gapfinder]'
    assert run(folder, "zsh", loaded) == "_gapfinder_completion\n"
    typed = " ".join(["gapfinder", *words])
    asked = f"COMP_WORDS='{typed}' COMP_CWORD={len(words)} _GAPFINDER_COMPLETE=zsh_complete gapfinder"
    assert set(run(folder, "zsh", asked).splitlines()) >= expected


def test_completing_reads_no_trace(folder):
    """It must be quick: what reads traces is not loaded."""
    asked = {"COMP_WORDS": "gapfinder diagnose --fo", "COMP_CWORD": "2", "_GAPFINDER_COMPLETE": "bash_complete"}
    told = environment(folder) | asked | {"PYTHONPROFILEIMPORTTIME": "1"}
    done = subprocess.run([folder / "gapfinder"], capture_output=True, text=True, check=True, timeout=60, env=told)
    assert done.stdout == "plain,--format\n"
    assert "gapfinder.cli.options" in done.stderr
    assert [module for module in ("duckdb", "polars", "rich") if module in done.stderr] == []


@pytest.mark.parametrize("asked", ["bash_complete", "fish_complete", "bash", "tcsh_source", "bash_complete of x"])
def test_what_no_shell_asks_is_told_in_one_line(command_line, monkeypatch, asked):
    monkeypatch.setenv("_GAPFINDER_COMPLETE", asked.removesuffix(" of x"))
    if asked.endswith(" of x"):
        monkeypatch.setenv("COMP_WORDS", "gapfinder ")
        monkeypatch.setenv("COMP_CWORD", "x")
    told = command_line("--version")
    assert (told.status, told.output) == (2, "")
    assert "completes nothing" in told.errors


def test_every_view_and_every_cause_is_completed():
    context = click.Context(click.Command("views"))
    assert {item.value for item in completion.views(context, None, "")} == {"glossary", "cookbook", *catalogue()}
    specs = read_config(users=False).causes
    assert {item.value for item in completion.causes(context, None, "")} == set(specs)
    removable = {cause for cause, spec in specs.items() if spec.remove}
    assert {item.value for item in completion.removable_causes(context, None, "")} == removable < set(specs)


def test_own_causes_are_completed(monkeypatch, tmp_path):
    (tmp_path / "causes").mkdir()
    (tmp_path / "causes" / "tokenizer.sql").write_text("")
    monkeypatch.chdir(tmp_path)
    assert [item.value for item in completion.causes(None, None, "tok")] == ["tokenizer"]


def test_names_that_a_shell_would_run_are_not_completed(tmp_path, monkeypatch):
    """Bash writes them into the line as they are."""
    names = ["forward#1", "tok;touch x;#", "$(x)", "`x`", "two words", "-x", "a\nb", "\x1b[31m", "~x"]
    (tmp_path / "causes").mkdir()
    for name in names:
        (tmp_path / "causes" / f"{name}.sql").write_text("")
    trace = tmp_path / "t.sqlite"
    trace.write_bytes((FIXTURES / "item_broken.sqlite").read_bytes())
    with closing(sqlite3.connect(trace)) as connection, connection:
        for place, name in enumerate(names):
            connection.execute("UPDATE NVTX_EVENTS SET text = ? WHERE rowid % ? = ?", (name, len(names), place))
    monkeypatch.chdir(tmp_path)
    assert set(range_names(trace)) == set(names)
    context = click.Context(click.Command("diagnose"))
    context.args = [str(trace)]
    assert [item.value for item in completion.steps(context, None, "")] == ["forward#1"]
    assert {item.value for item in completion.causes(context, None, "")} == {"forward#1", *read_config(users=False).causes}


def test_completing_writes_nothing_and_asks_no_view(tmp_path):
    """A trace may come from anybody."""
    trace = tmp_path / "t.sqlite"
    trace.write_bytes((FIXTURES / "item_broken.sqlite").read_bytes())
    with closing(sqlite3.connect(trace)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    assert range_names(trace)
    assert [path.name for path in tmp_path.iterdir()] == ["t.sqlite"]
    with closing(sqlite3.connect(trace)) as connection, connection:
        connection.execute("DROP TABLE NVTX_EVENTS")
        numbers = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
        connection.execute(f"CREATE VIEW NVTX_EVENTS AS {numbers} SELECT 'x' AS text, 1 AS textId, x AS \"end\" FROM n")
    assert range_names(trace) == []
    os.mkfifo(tmp_path / "pipe.sqlite")
    assert range_names(tmp_path / "pipe.sqlite") == []


@pytest.mark.parametrize("name", ["missing.sqlite", "other.sqlite", ""])
def test_what_is_no_export_has_no_ranges(tmp_path, name):
    (tmp_path / "other.sqlite").write_text("no database")
    assert range_names(tmp_path / name) == []
