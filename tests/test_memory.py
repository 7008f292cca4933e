"""`--memory-limit`, and the private folder for what does not fit."""

import os
import select
import shlex
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from processes import TIMEOUT_S, Sandbox
from traces import FIXTURES

import gapfinder
from gapfinder.errors import UsageError
from gapfinder.system import memory
from gapfinder.system.control_groups import room_bytes

TRACE = FIXTURES / "item_fixed.sqlite"


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(("text", "expected"), [("4GB", 4 * 10**9), ("1.5 gib", 3 * 2**29), ("800MB", 8 * 10**8)])
def test_sizes_are_parsed(text, expected):
    assert memory.parse_size(text) == expected


@pytest.mark.parametrize("text", ["4", "GB", "-4GB", "100MB", "1e3GB"])
def test_texts_that_are_no_size_are_refused(text):
    with pytest.raises(UsageError, match="give"):
        memory.parse_size(text)


def test_limit_holds_for_the_whole_process(temporary):
    with gapfinder.open(TRACE, memory_limit="1GB") as trace:
        (row,) = trace.rows("SELECT current_setting('memory_limit') AS limit, current_setting('temp_directory') AS folder")
    assert row["limit"] == "686.6 MiB"  # 720 MB
    assert Path(row["folder"]).is_relative_to(temporary)


def test_default_limit_is_half_of_the_free_memory(monkeypatch):
    monkeypatch.setattr(memory, "free_bytes", lambda: 8 * 10**9)
    budget = memory.MemoryBudget(None)
    budget.close()
    assert budget.settings["memory_limit"] == "3270MB"


def control_groups(folder, membership, files):
    """The folder of the groups and the list of those of a process, with such files."""
    for name, text in files.items():
        (folder / "groups" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "groups" / name).write_text(text)
    (folder / "of_process").write_text(membership)
    return folder / "groups", folder / "of_process"


def test_the_tightest_control_group_says_what_is_free(tmp_path):
    files = {
        "job/memory.max": "8000\n",
        "job/memory.current": "5000\n",
        "job/memory.stat": "anon 1000\ninactive_file 700\n",
        "job/step/memory.max": "max\n",
        "job/step/memory.current": "4000\n",
    }
    assert room_bytes(*control_groups(tmp_path, "0::/job/step\n", files)) == 3700


def test_control_groups_of_the_first_version_say_what_is_free(tmp_path):
    files = {
        "memory/memory.limit_in_bytes": "9223372036854771712\n",
        "memory/memory.usage_in_bytes": "9000\n",
        "memory/job/memory.limit_in_bytes": "4000\n",
        "memory/job/memory.usage_in_bytes": "3500\n",
        "memory/job/memory.stat": "inactive_file 1\ntotal_inactive_file 300\n",
    }
    membership = "4:cpu,cpuacct:/other\n3:memory:/job\n0::/\n"
    assert room_bytes(*control_groups(tmp_path, membership, files)) == 800


def test_a_control_group_of_the_host_is_that_of_the_container(tmp_path):
    files = {"memory.max": "6000\n", "memory.current": "1000\n"}
    assert room_bytes(*control_groups(tmp_path, "0::/host/of/the/container\n", files)) == 5000


def test_without_control_groups_nothing_is_limited(tmp_path):
    assert room_bytes(tmp_path, tmp_path / "missing") is None


def test_temporary_folder_is_private_and_removed(temporary):
    with gapfinder.open(TRACE):
        (folder,) = temporary.iterdir()
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert list(temporary.iterdir()) == []


def test_temporary_folder_of_an_unusable_trace_is_removed(temporary):
    with pytest.raises(gapfinder.errors.TraceError):
        gapfinder.open(temporary / "missing.sqlite")
    assert list(temporary.iterdir()) == []


def test_temporary_folder_of_a_killed_process_is_removed(temporary):
    code = f"import gapfinder, time; trace = gapfinder.open({str(TRACE)!r}); print('open', flush=True); time.sleep(60)"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=os.environ | {"TMPDIR": str(temporary)})
    try:
        assert select.select([process.stdout], [], [], TIMEOUT_S)[0]
        assert process.stdout.readline() == b"open\n"
        with gapfinder.open(TRACE):
            assert len(list(temporary.iterdir())) == 2  # of a process that lives, nothing is touched
    finally:
        process.kill()
        process.wait()
    with gapfinder.open(TRACE):
        assert len(list(temporary.iterdir())) == 1
    assert list(temporary.iterdir()) == []


def test_wrong_limit_is_refused_in_one_line(tmp_path):
    (tmp_path / "s").mkdir()
    done = Sandbox(tmp_path / "s").gapfinder("diagnose", TRACE, "--memory-limit", "5")
    assert done.returncode == 2
    assert done.stderr == "gapfinder: '5' is not a size: give a number and a unit, as in 4GB or 800MB\n"


@pytest.mark.parametrize("megabytes", [400, 800, 1200])
def test_too_few_addresses_end_in_one_line(tmp_path, megabytes):
    """Without the check the C library ends the process, often without a word."""
    (tmp_path / "s").mkdir()
    sandbox = Sandbox(tmp_path / "s")
    command = f"ulimit -v {megabytes}000; exec {shlex.join([sys.executable, '-m', 'gapfinder', 'diagnose', str(TRACE)])}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, env=sandbox.environment)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(
        f"gapfinder: `ulimit -v` leaves {megabytes / 976.5625:.1f} GB of addresses, and gapfinder needs "
    )
    assert done.stderr.count("\n") == 1


def test_no_thread_for_polars_ends_in_one_line(tmp_path):
    (tmp_path / "s").mkdir()
    sandbox = Sandbox(tmp_path / "s")
    sandbox.environment["POLARS_MAX_THREADS"] = "0"
    done = sandbox.gapfinder("gaps", TRACE)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("gapfinder: POLARS_MAX_THREADS is 0 in the environment")
