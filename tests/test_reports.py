"""A report goes through the user's own nsys, and leaves nothing behind."""

import hashlib
import json
import os
import shlex
import shutil
import signal
import subprocess

import pytest
from processes import GAPFINDER, TIMEOUT_S, Sandbox, needs_nsys, wait_for
from traces import REPORT

from gapfinder.ingest.nsys import report as nsys

SLOW_NSYS = """#!/bin/sh
[ "$2" = --help ] && { echo parquetdir; exit; }
touch "$TMPDIR/half-written" "$HOME/exporting"
exec sleep 600
"""


@pytest.fixture
def report(tmp_path):
    """A copy of a report, whose folder holds nothing else, under a name that a shell would stumble over."""
    folder = tmp_path / "it's here"
    folder.mkdir()
    return shutil.copy(REPORT, folder / "a report.nsys-rep")


@pytest.fixture
def _interruptible():
    """Processes started in the background of a script ignore SIGINT, and hand that on to their children."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@needs_nsys
def test_report_through_nsys(tmp_path, report):
    sandbox = Sandbox(tmp_path)
    done = sandbox.gapfinder("diagnose", report, "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["verdict"]["cause"] == "input_pipeline"
    assert sha256(report) == sha256(REPORT)
    assert list(report.parent.iterdir()) == [report]
    assert sandbox.left_behind() == []


def test_report_without_nsys(tmp_path, report, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("GAPFINDER_NSYS", raising=False)
    if nsys.find():
        pytest.skip("an nsys stands in one of its usual places")
    done = Sandbox(tmp_path).gapfinder("diagnose", report)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith(
        f"nsys export --type=sqlite --include-json=true --include-blobs=true {shlex.quote(str(report))}\n"
    )


@pytest.mark.usefixtures("_interruptible")
def test_interrupted_while_nsys_exports(tmp_path, report):
    stub = tmp_path / "nsys"
    stub.write_text(SLOW_NSYS)
    stub.chmod(0o755)
    sandbox = Sandbox(tmp_path)
    process = subprocess.Popen(
        [*GAPFINDER, "diagnose", str(report)],
        env=sandbox.environment | {"GAPFINDER_NSYS": str(stub)},
        cwd=sandbox.work,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        wait_for(sandbox.home / "exporting")
        os.killpg(process.pid, signal.SIGINT)  # as Ctrl-C in a terminal does: nsys gets it too
        out, err = process.communicate(timeout=TIMEOUT_S)
    finally:
        process.kill()
    assert (process.returncode, out, err.strip()) == (130, "", "gapfinder: interrupted")
    assert sandbox.left_behind() == []


def sha256(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()
