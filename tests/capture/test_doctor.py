"""`gapfinder doctor`: what a machine can record, and what a trace holds."""

import pytest
from processes import needs_nsys
from traces import FIXTURES


def lines(done):
    """What was found of each thing: whether it is there."""
    return {line[5:37].strip(): line[:4].strip() for line in done.splitlines()}


@needs_nsys
def test_machine_with_nsys(sandbox):
    done = sandbox.gapfinder("doctor")
    assert (done.returncode, done.stderr) == (0, "")
    found = lines(done.stdout)
    assert [found[what] for what in ("Nsight Systems", "a test capture", "NVTX ranges", "Python samples")] == ["yes"] * 4
    assert "wrote a report of" in done.stdout
    assert sandbox.left_behind() == []


def test_machine_without_nsys(sandbox, tmp_path):
    sandbox.environment |= {"PATH": str(tmp_path)}
    sandbox.environment.pop("GAPFINDER_NSYS", None)
    done = sandbox.gapfinder("doctor")
    if lines(done.stdout)["Nsight Systems"] == "yes":
        pytest.skip("an nsys stands in one of its usual places")
    assert (done.returncode, done.stderr) == (3, "")
    assert "https://developer.nvidia.com/nsight-systems" in done.stdout


def test_nsys_that_is_something_else(sandbox):
    sandbox.environment |= {"GAPFINDER_NSYS": "/bin/true"}
    done = sandbox.gapfinder("doctor")
    assert done.returncode == 3
    assert "is it Nsight Systems? Set GAPFINDER_NSYS to use another nsys" in done.stdout


def test_trace(command_line):
    done = command_line("doctor", FIXTURES / "gil_broken.sqlite")
    assert (done.status, done.errors) == (0, "")
    found = lines(done.output)
    assert (found["kernels"], found["CUDA graphs as a whole"], found["Python samples"]) == ("yes", "-", "NO")
    note = (
        "- No Python samples: source lines are unknown. If this is a Python program, `gapfinder capture` records them (flags of"
    )
    assert note in " ".join(done.output.split())


def test_in_a_terminal_lines_break_between_words(sandbox):
    sandbox.environment |= {"COLUMNS": "60"}
    shown = sandbox.in_terminal("doctor", FIXTURES / "gil_broken.sqlite").replace("\r", "")
    checks = shown[shown.index("yes  kernels") :]
    assert max(map(len, checks.splitlines())) <= 60
    assert "flags of nsys: `gapfinder guide capture`" in " ".join(checks.split())


def test_trace_that_is_unusable(command_line):
    done = command_line("doctor", FIXTURES / "no_gpu_work.sqlite")
    assert (done.status, done.output, done.errors.count("\n")) == (3, "", 1)
