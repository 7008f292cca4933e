"""What a process prints: the JSON contract, text for a pipe, help."""

import json
from pkgutil import iter_modules

import pytest
from processes import Sandbox
from traces import EXPORT, FIXTURES
from variations import some

from gapfinder.cli import commands

DOCUMENT = {"schema", "verdict", "window", "devices", "causes", "notes"}
VERDICT = {"cause", "headline"}
WINDOW = {"start_ns", "end_ns", "steps", "step_ns", "source", "excluded_steps"}
DEVICE = {"gpu", "window_ns", "compute_ns", "causes"}
CAUSE = {"cause", "lost_ns", "share", "count", "predicted_step_ns", "fix", "evidence"}


def test_json_contract(tmp_path):
    done = Sandbox(tmp_path).gapfinder("diagnose", EXPORT, "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert document.keys() >= DOCUMENT
    assert document["schema"] == "gapfinder.diagnosis/2"
    assert document["verdict"].keys() >= VERDICT
    assert document["window"].keys() >= WINDOW
    for device in document["devices"]:
        assert device.keys() >= DEVICE
        assert device["compute_ns"] + sum(cause["lost_ns"] for cause in device["causes"]) == device["window_ns"]
    for cause in document["causes"]:
        assert cause.keys() >= CAUSE
        assert all("text" in fact for fact in cause["evidence"])
    assert all(isinstance(note, str) for note in document["notes"])


@pytest.mark.parametrize("trace", some(2, ["starved_cuda12", "ddp_straggler_broken", "pysample_item", "healthy_gemm"]))
def test_text_fits_a_pipe(command_line, trace):
    done = command_line("diagnose", FIXTURES / f"{trace}.sqlite")
    assert (done.status, done.errors) == (0, "")
    lines = done.output.splitlines()
    assert trace in lines[0]
    assert max(map(len, lines)) <= 80
    assert all(line.isprintable() for line in lines)


def test_unusable_trace(tmp_path):
    done = Sandbox(tmp_path).gapfinder("diagnose", FIXTURES / "no_gpu_work.sqlite")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("gapfinder: ")
    assert done.stderr.count("\n") == 1


def test_help_lists_every_command(tmp_path):
    done = Sandbox(tmp_path).gapfinder("--help")
    listed = {line.split()[0] for line in done.stdout.partition("Commands:")[2].splitlines() if line.strip()}
    assert listed >= {module.name for module in iter_modules(commands.__path__)}


@pytest.mark.parametrize("window", some(1, [[], ["--window", "all"]]))
def test_one_step_time_whatever_the_window(command_line, window):
    """A window with parts of steps at its ends is not shared out among the whole ones."""
    done = command_line("diagnose", FIXTURES / "item_broken.sqlite", "--format", "json", *window)
    assert json.loads(done.output)["window"]["step_ns"] == pytest.approx(7.07e6, rel=0.02)
