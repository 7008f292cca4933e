"""A disk that is full, a folder that may not be written to, a file that may not be read: one line, and nothing is left."""

import os
import shutil
import subprocess
from unittest.mock import Mock

import duckdb
import pytest
from outcome import UNUSABLE, WRONG_USAGE, Done, assert_refused
from processes import GAPFINDER, TIMEOUT_S
from samples import full
from variations import some

import gapfinder
from gapfinder import convert
from gapfinder.errors import TraceError

CAN_MOUNT = (
    shutil.which("unshare")
    and not subprocess.run(
        ["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, check=False, timeout=60
    ).returncode
)
MERE_MORTAL = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
FILLING_NSYS = """#!/bin/sh
case "$*" in *--help*) exit;; esac
head -c 1000000000 /dev/zero > "$TMPDIR/report.sqlite"
exit 1
"""


@pytest.fixture
def sandbox(sandbox):
    sandbox.trace = full().write(sandbox.home / "t.sqlite")
    nsys = sandbox.home / "nsys"
    nsys.write_text(FILLING_NSYS)
    nsys.chmod(0o755)
    sandbox.environment["GAPFINDER_NSYS"] = str(nsys)
    sandbox.report = sandbox.home / "r.nsys-rep"
    sandbox.report.write_bytes(b"NVIDIA Tegra Profiler Report" + bytes(1000))
    return sandbox


def on_a_small_disk(sandbox, *arguments, first=":"):
    """The command where the folder for temporary files is a disk of 100 KB; `ls` tells what is left there."""
    small = sandbox.temporary
    script = f'mount -t tmpfs -o size=100k none "{small}"; {first}; "$@"; status=$?; ls -A "{small}" >&2; exit $status'
    command = ["unshare", "-m", "sh", "-c", script, "sh", *GAPFINDER, *map(str, arguments)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=TIMEOUT_S, env=sandbox.environment, cwd=sandbox.work
    )
    return Done(done.returncode, done.stdout, done.stderr)


@pytest.mark.skipif(not CAN_MOUNT, reason="this machine lets nobody mount a small disk")
def test_no_room_for_temporary_files(sandbox):
    done = on_a_small_disk(sandbox, "diagnose", sandbox.report)
    assert_refused(done)
    assert "TMPDIR" in done.errors


@pytest.mark.skipif(not CAN_MOUNT, reason="this machine lets nobody mount a small disk")
def test_no_room_for_what_a_query_holds(sandbox):
    large = "SELECT count(*) FROM (SELECT repeat(md5(range::TEXT), 50) AS m FROM range(1000000) ORDER BY m LIMIT 900000)"
    done = on_a_small_disk(sandbox, "sql", sandbox.trace, large, "--memory-limit", "300MB")
    assert (done.status, done.output) == (WRONG_USAGE, "")
    assert done.errors.endswith("or set TMPDIR to a folder with more free space\n")


def test_a_full_disk_is_no_damage(sandbox, monkeypatch):
    full = duckdb.IOException('Could not write file "/tmp/spilled/duckdb_temp_1": No space left on device')
    monkeypatch.setattr("gapfinder.trace.compute", Mock(side_effect=full))
    with gapfinder.open(sandbox.trace) as trace, pytest.raises(TraceError, match="set TMPDIR to a folder with more free space"):
        trace.diagnose()


@pytest.mark.parametrize(
    "arguments",
    some(
        1,
        [
            ["sql", "SELECT range FROM range(1000000)", "-o", "t.parquet"],
            ["fleet", "--workers", "0", "-o", "ledger"],
            ["redact", "--names", "-o", "t.sqlite", "--key", "names.key"],
        ],
    ),
)
@pytest.mark.skipif(not CAN_MOUNT, reason="this machine lets nobody mount a small disk")
def test_no_room_for_an_output(sandbox, arguments):
    """What is left is no half of a file, and the next run takes it."""
    command, *rest = (sandbox.temporary / part if "." in part or part == "ledger" else part for part in arguments)
    full_disk = f'head -c 100000 /dev/zero > "{sandbox.temporary}/fill"'
    done = on_a_small_disk(sandbox, command, sandbox.trace, *rest, first=full_disk)
    assert done.errors.splitlines()[1:] == ["fill"] + (["ledger"] if command == "fleet" else [])
    assert "No space left on device" in done.errors
    assert done.status in {UNUSABLE, WRONG_USAGE}


@pytest.mark.thorough
@pytest.mark.skipif(not CAN_MOUNT, reason="this machine lets nobody mount a small disk")
def test_no_room_for_a_conversion(sandbox):
    done = on_a_small_disk(sandbox, "convert", sandbox.trace, sandbox.temporary / "kept.duckdb")
    assert_refused(done)


def bound_by_modes(sandbox, *arguments):
    """The command as one for whom the modes of files count, which they do not for root; temporary files have no place."""
    command = [*(MERE_MORTAL if os.geteuid() == 0 else ()), *GAPFINDER, *map(str, arguments)]
    environment = sandbox.environment | {"TMPDIR": "/nonexistent"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=TIMEOUT_S, env=environment, cwd="/")
    return Done(done.returncode, done.stdout, done.stderr)


needs_modes = pytest.mark.skipif(
    os.geteuid() == 0 and not shutil.which("setpriv"), reason="for root no mode of a file counts, and there is no setpriv"
)


@needs_modes
def test_a_folder_that_may_not_be_written_to(sandbox):
    sandbox.home.chmod(0o555)
    done = bound_by_modes(sandbox, "diagnose", sandbox.trace)
    assert (done.status, done.errors) == (0, "")
    assert_refused(bound_by_modes(sandbox, "convert", sandbox.trace, sandbox.home / "kept.duckdb"), status=UNUSABLE)
    sandbox.home.chmod(0o755)
    assert sorted(path.name for path in sandbox.home.iterdir()) == ["nsys", "r.nsys-rep", "t.sqlite"]


@needs_modes
def test_folders_that_may_not_be_entered(sandbox):
    """Of a conversion, and of the user's own config, as after `su`."""
    convert(sandbox.trace, sandbox.home / "kept")
    (sandbox.home / "kept").chmod(0)
    done = bound_by_modes(sandbox, "diagnose", sandbox.home / "kept")
    assert_refused(done)
    sandbox.environment["XDG_CONFIG_HOME"] = str(sandbox.home / "kept")
    done = bound_by_modes(sandbox, "diagnose", sandbox.trace)
    assert_refused(done, WRONG_USAGE)
    assert "set XDG_CONFIG_HOME to a folder of your own" in done.errors
    (sandbox.home / "kept").chmod(0o755)


@needs_modes
def test_a_file_that_may_not_be_read(sandbox):
    sandbox.trace.chmod(0)
    done = bound_by_modes(sandbox, "diagnose", sandbox.trace)
    assert_refused(done)
    assert "cannot be read: Permission denied" in done.errors
