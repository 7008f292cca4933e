"""Killed at any moment, a command leaves nothing that the next one does not remove, and that one tells what it always would."""

import json
import os
import signal
import subprocess
import time
from contextlib import suppress

import pytest
from outcome import outcome
from processes import GAPFINDER, TIMEOUT_S
from samples import full
from variations import some

NSYS = """#!/bin/sh
case "$*" in *--help*) exit;; esac
for word; do case "$word" in --output=*) cp "$HOME/export" "${word#--output=}";; esac; done
[ -e "$HOME/slow" ] && touch "$HOME/exporting" && exec sleep 600
exit 0
"""


@pytest.fixture
def sandbox(sandbox):
    """With a report, and an nsys that takes long to export it as long as there is a file `slow`."""
    full().write(sandbox.home / "export")
    nsys = sandbox.home / "nsys"
    nsys.write_text(NSYS)
    nsys.chmod(0o755)
    sandbox.environment["GAPFINDER_NSYS"] = str(nsys)
    (sandbox.home / "r.nsys-rep").write_bytes(b"NVIDIA Tegra Profiler Report" + bytes(1000))
    return sandbox


def killed(sandbox, number, until, *arguments):
    """Start a command, and send it this signal once `until` holds; returns its exit status. Its children go too."""
    command = [*GAPFINDER, *map(str, arguments)]
    with subprocess.Popen(
        command,
        env=sandbox.environment,
        cwd=sandbox.work,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        deadline = time.monotonic() + TIMEOUT_S
        while process.poll() is None and not until() and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(number)
        try:
            return process.wait(TIMEOUT_S)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.parametrize("number", some(1, [signal.SIGKILL, signal.SIGTERM]))
def test_killed_export_leaves_nothing_for_the_next_run(sandbox, number):
    (sandbox.home / "slow").touch()
    report = sandbox.home / "r.nsys-rep"
    assert killed(sandbox, number, (sandbox.home / "exporting").exists, "diagnose", report) != 0
    assert bool(sandbox.left_behind()) == (number == signal.SIGKILL)
    (sandbox.home / "slow").unlink()
    done = sandbox.gapfinder("diagnose", report, "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["verdict"]["cause"] == outcome(sandbox.home / "export").verdict
    assert sandbox.left_behind() == []


@pytest.mark.thorough
def test_killed_conversion_leaves_nothing_for_the_next_run(sandbox):
    """As soon as there is something beside the target."""
    kind = "kept.duckdb"
    trace, folder = sandbox.home / "export", sandbox.work
    killed(sandbox, signal.SIGKILL, lambda: any(folder.glob(".*/*")), "convert", trace, folder / kind)
    assert sandbox.gapfinder("convert", trace, folder / kind, "--force").returncode == 0
    assert [path.name for path in folder.iterdir()] == [kind]
    assert outcome(folder / kind).verdict == outcome(trace).verdict
    assert list(sandbox.temporary.iterdir()) == []
