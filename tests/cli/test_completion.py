"""Completion in real shells, as the guide sets it up."""

import os
import shutil
import subprocess

import pytest
from processes import GAPFINDER

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
]
IDS = [" ".join(words) or "nothing" for words, _ in COMPLETED]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("bin")
    program = found / "gapfinder"
    program.write_text(PROGRAM.format(python=GAPFINDER[0]))
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


@pytest.mark.parametrize(("words", "expected"), COMPLETED, ids=IDS)
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


@pytest.mark.parametrize(("words", "expected"), COMPLETED, ids=IDS)
def test_fish(folder, words, expected):
    script = f"_GAPFINDER_COMPLETE=fish_source gapfinder | source; complete -C 'gapfinder {' '.join(words)}'"
    found = {line.partition("\t")[0] for line in run(folder, "fish", script).splitlines()}
    assert found == expected if words != ("",) else found >= expected


@pytest.mark.parametrize(("words", "expected"), COMPLETED, ids=IDS)
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
