"""`gapfinder capture` with a real nsys: what comes through, what is kept, and what is said when something goes wrong."""

import os
import pty
import re
import select
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from processes import GAPFINDER, TIMEOUT_S, needs_nsys, wait_for
from variations import some

from gapfinder.capture import record
from gapfinder.capture.abilities import Abilities
from gapfinder.capture.naming import placed
from gapfinder.capture.recordings import RECORDINGS, split
from gapfinder.capture.request import Request
from gapfinder.ingest.nsys import report as nsys

pytestmark = needs_nsys
TOKEN = "q7Zk3vX9w1Nt5RbYc8LfHs2MgPd4JuAe6"  # noqa: S105  to be looked for; reports are compressed
SPEAKS = """
import os, sys
print("out", os.environ["PLANTED"], os.environ["HOME"], os.getcwd(), sys.stdin.read())
print("err", file=sys.stderr)
sys.exit(int(sys.argv[1]))
"""
# nsys 2023.4 now and then crashes a Python that it samples when that ends: 1 of 50
CALM = ("--nsys-flag=--python-sampling=false", "--nsys-flag=--trace=cuda,nvtx,osrt")
WAITS = "import pathlib, time; pathlib.Path('began').touch(); time.sleep(30)"
NAMES = """
import sys, time
import nvtx
for _ in range(40):
    with nvtx.annotate(sys.argv[1]): time.sleep(0.05)
"""
LOOPS = """
import time
from gapfinder.annotate import phase, steps
with steps(range(12), warmup=2, active=3) as batches:
    for batch in batches:
        with phase("forward"):
            time.sleep(0.002)
"""
# nsys 2023.4 hangs or loses its report where a range to record, and then the program, ends within microseconds: 2 of 12
# starts on a busy machine, and none of 120 with these pauses
RANGES = """
import time
import nvtx
with nvtx.annotate("before"): pass
with nvtx.annotate("a@b"):
    with nvtx.annotate("inside"): time.sleep(0.3)
with nvtx.annotate("after"): time.sleep(0.3)
"""


@pytest.fixture
def sandbox(sandbox):
    sandbox.environment |= {"PLANTED": TOKEN, "PYTHONPATH": os.pathsep.join(sys.path[1:])}
    return sandbox


def capture(sandbox, *arguments, stdin=""):
    command = [*GAPFINDER, "capture", *map(str, arguments)]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        timeout=TIMEOUT_S,
        env=sandbox.environment,
        cwd=sandbox.work,
        input=stdin,
    )


def left(sandbox):
    return sorted(path.name for path in sandbox.left_behind())


def exported(sandbox, report):
    target = sandbox.home / "report.sqlite"
    done = subprocess.run(
        [nsys.find(), "export", "--type=sqlite", "--force-overwrite=true", f"--output={target}", sandbox.work / report],
        capture_output=True,
        check=False,
        timeout=TIMEOUT_S,
    )
    assert done.returncode == 0
    return sqlite3.connect(target)


def range_names(connection):
    query = "SELECT coalesce(e.text, s.value) FROM NVTX_EVENTS e LEFT JOIN StringIds s ON s.id = e.textId WHERE e.end IS NOT NULL"
    return [name for (name,) in connection.execute(query) if "GIL" not in name]


def test_streams_folder_environment_and_status_come_through(sandbox):
    done = capture(sandbox, *CALM, "--no-diagnose", "--", sys.executable, "-c", SPEAKS, 7, stdin="typed")
    assert done.returncode == 7
    assert done.stdout == f"out {TOKEN} {sandbox.home} {sandbox.work} typed\n"
    assert "err\n" in done.stderr
    assert f"gapfinder: {sys.executable} ended with status 7; the report shows what it did until then" in done.stderr
    assert left(sandbox) == [f"{Path(sys.executable).name}.nsys-rep"]


def test_report_holds_no_environment(sandbox):
    other = subprocess.Popen(["sleep", "60"], env={"OTHER": TOKEN})
    try:
        done = capture(sandbox, *CALM, "--no-diagnose", "-o", "kept", "--", sys.executable, "-c", SPEAKS, 0)
    finally:
        other.kill()
    assert done.returncode == 0
    if "do not share it" in done.stderr:
        pytest.skip("this machine allows no PID namespace, and the user was told what follows")
    assert TOKEN.encode() not in (sandbox.work / "kept.nsys-rep").read_bytes()
    assert not [line for line in exported(sandbox, "kept.nsys-rep").iterdump() if TOKEN in line]


def test_report_with_the_environment_says_so(sandbox):
    lasts = "import time; time.sleep(3)"  # nsys looks at the processes now and then, and on a busy machine missed one of a second
    done = capture(sandbox, *CALM, "--no-isolate", "--no-diagnose", "-o", "kept", "--", sys.executable, "-c", lasts)
    assert TOKEN.encode() in (sandbox.work / "kept.nsys-rep").read_bytes()
    assert "holds the environment variables of all processes" in done.stderr


def test_program_that_never_uses_a_gpu(sandbox):
    done = capture(sandbox, "-o", "idle", "--", "sh", "-c", "echo ran")
    assert (done.returncode, done.stdout) == (3, "ran\n")
    why = "if its work is done by forked processes, record them with --follow-forks"
    if shutil.which("nvidia-smi") is None:
        why += "; there is no nvidia-smi here: does this machine have a GPU?"
    assert done.stderr.endswith(f"gapfinder: sh launched nothing on a GPU while it was recorded: {why}\n")
    assert left(sandbox) == ["idle.nsys-rep"]


def test_only_the_steps_that_were_asked_for(sandbox):
    done = capture(sandbox, *CALM, "--steps", 4, "--warmup", 1, "--no-diagnose", "-o", "steps", "--", sys.executable, "-c", LOOPS)
    assert done.returncode == 0, done.stderr
    names = range_names(exported(sandbox, "steps.nsys-rep"))
    assert (names.count("step"), names.count("forward"), names.count("next_batch")) == (4, 4, 4)


def test_python_is_sampled(sandbox):
    program = "import time\nwhile time.process_time() < 0.5: sum(range(1000))"
    capture(sandbox, "--no-diagnose", "-o", "sampled", "--", sys.executable, "-c", program)
    samples = exported(sandbox, "sampled.nsys-rep").execute("SELECT count(*) FROM NVTX_EVENTS WHERE eventType = 34")
    assert samples.fetchone()[0] > 100


def test_only_an_nvtx_range(sandbox):
    done = capture(sandbox, *CALM, "--capture-range", "a@b", "--no-diagnose", "-o", "range", "--", sys.executable, "-c", RANGES)
    assert done.returncode == 0, done.stderr
    assert sorted(range_names(exported(sandbox, "range.nsys-rep"))) == ["a@b", "inside"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--steps", "3"], "did not reach the steps to record"),
        (["--capture-range", "train"], "never entered an NVTX range named 'train'"),
        (["--capture-range", "cudaProfilerApi"], "never called cudaProfilerStart"),
        (["--delay", "5"], "ended before the delay of 5 s was over"),
        (["--nsys-flag=--no-such-flag=1"], "did not start the program (status 1); it printed: unrecognised option"),
    ],
)
def test_nothing_recorded(sandbox, options, said):
    done = capture(sandbox, *options, "--", "sleep", "0.5")
    assert (done.returncode, done.stdout) == (3, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert left(sandbox) == []


def test_duration_ends_the_program(sandbox):
    """Where no terminal is, no time is shown meanwhile."""
    done = capture(sandbox, *CALM, "--duration", 1, "--no-diagnose", "-o", "short", "--", sys.executable, "-c", WAITS)
    assert done.returncode == 0
    assert "gapfinder: the recording takes 1 s and ends the program 1 s after its start\n" in done.stderr
    assert "\x1b" not in done.stderr
    assert "recording, " not in done.stderr
    assert left(sandbox) == ["began", "short.nsys-rep"]


@pytest.mark.parametrize("ending", [("--duration", 20), ("--capture-range", "never", "--stop")], ids=["duration", "stop"])
@pytest.mark.parametrize(
    ("dies", "status", "said"),
    some(
        1,
        [
            ("os.kill(os.getpid(), signal.SIGSEGV)", 139, "was ended by SIGSEGV (status 139)"),
            ("sys.exit(3)", 3, "ended with status 3"),
        ],
    ),
)
def test_a_program_that_dies_by_itself_is_told(sandbox, ending, dies, status, said):
    program = f"import os, signal, sys, time; time.sleep(0.5); {dies}"
    done = capture(sandbox, *CALM, *ending, "--no-diagnose", "-o", "died", "--", sys.executable, "-c", program)
    if ending[0] == "--duration":
        assert done.returncode == status
        assert f"{sys.executable} {said}; the report shows what it did until then" in done.stderr
    else:  # the range never began, so that there is no report
        assert done.returncode == 3
        assert ("was ended by SIGSEGV" if status > 128 else "never entered an NVTX range") in done.stderr


def test_a_program_that_answers_the_end_with_a_status_did_not_die(sandbox):
    answers = "import signal, sys, time; signal.signal(signal.SIGTERM, lambda *_: sys.exit(5)); time.sleep(30)"
    done = capture(sandbox, *CALM, "--duration", 1, "--no-diagnose", "-o", "answers", "--", sys.executable, "-c", answers)
    assert done.returncode == 0, done.stderr
    assert "status" not in done.stderr


def test_wrong_usage(sandbox):
    (sandbox.work / "taken.nsys-rep").write_text("not to be overwritten")
    for arguments in (
        ["--", "no-such-program"],
        ["-o", "taken", "--", "true"],
        ["--steps", "3", "--capture-range", "train", "--", "true"],
        [],
    ):
        done = capture(sandbox, *arguments)
        assert (done.returncode, done.stdout) == (2, ""), arguments
    assert (sandbox.work / "taken.nsys-rep").read_text() == "not to be overwritten"
    assert capture(sandbox, "--force", "--no-diagnose", "-o", "taken", "--", "true").returncode == 0
    assert (sandbox.work / "taken.nsys-rep").stat().st_size > 10_000


def test_output_under_a_name_that_nsys_would_fill_in(sandbox):
    folder = sandbox.work / "it's %h & 100%"
    folder.mkdir()
    done = capture(sandbox, "--no-diagnose", "-o", folder / "%p", "--", "true")
    assert (done.returncode, [path.name for path in folder.iterdir()]) == (0, ["%p.nsys-rep"])


def test_folder_that_is_not_there(sandbox):
    done = capture(sandbox, "-o", "nowhere/report", "--", "true")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("cannot be written: there is no folder nowhere\n")


@pytest.mark.skipif(os.geteuid() != 0, reason="mounts a small disk, which only root may")
@pytest.mark.parametrize(("size", "program"), [("200k", "true"), ("8m", "cat /dev/zero >filler; sleep 60")])
def test_full_disk(sandbox, size, program):
    disk = sandbox.work / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", disk], check=True)
    try:
        done = capture(sandbox, "-o", "disk/report", "--", "sh", "-c", f"cd disk; {program}")
        assert not list(disk.glob("*report*")) + list(disk.glob(".*"))
    finally:
        subprocess.run(["umount", "--lazy", disk], check=True)
    assert (done.returncode, done.stdout) == (3, "")
    assert f"the disk of {disk} is full, and the report could not be written: choose another folder" in done.stderr


def test_interrupted_in_a_terminal(sandbox):
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(sandbox.work)
        program = [*CALM, "--no-isolate", "-o", "cut", "--", sys.executable, "-c", WAITS]  # a namespace hides nothing from Ctrl-C
        os.execve(  # noqa: S606  in a terminal of its own
            sys.executable, [*GAPFINDER, "capture", *program], sandbox.environment
        )
    wait_for(sandbox.work / "began")
    os.write(terminal, b"\x03")
    shown = b""
    ended = status = 0
    while not ended:  # nsys may leave a process behind, with which the terminal stays open
        ended, status = os.waitpid(pid, os.WNOHANG)
        with suppress(OSError):  # how a terminal ends
            while select.select([terminal], [], [], 0.1)[0] and (block := os.read(terminal, 4096)):
                shown += block
    os.close(terminal)
    assert os.waitstatus_to_exitcode(status) == 130
    assert b"interrupted; to see why the GPU did not compute until then: gapfinder diagnose cut.nsys-rep" in shown
    assert left(sandbox) == ["began", "cut.nsys-rep"]


@pytest.mark.parametrize(
    ("isolate", "number"),
    some(1, [("--isolate", signal.SIGTERM), ("--no-isolate", signal.SIGTERM), ("--isolate", signal.SIGHUP)]),
)
def test_ended_from_outside(sandbox, isolate, number):
    process = started(sandbox, *CALM, isolate, "-o", "ended", "--", sys.executable, "-c", WAITS)
    process.send_signal(number)
    _, err = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 128 + signal.SIGTERM
    assert "ended with status 143" in err
    assert left(sandbox) == ["began", "ended.nsys-rep"]


def test_a_name_that_is_taken_meanwhile_gets_a_number(tmp_path):
    wanted = tmp_path / "train.nsys-rep"
    for number, force in enumerate((False, False, True)):
        made = tmp_path / "made"
        made.write_text(str(number))
        assert not placed(made, wanted, force=force).samefile(tmp_path)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"train.nsys-rep": "2", "train1.nsys-rep": "1"}


def test_nsys_that_fails_to_start_the_program_may_try_again(sandbox, tmp_path):
    real = nsys.require()
    flaky = tmp_path / "nsys"
    failure = "echo 'what: RuntimeException [tag_message*] = Local Endpoint is not available.'; exit 1"
    flaky.write_text(
        f'#!/bin/sh\ncase "$*" in *--output=*) mkdir {tmp_path}/failed && {{ {failure}; }};; esac\nexec {real} "$@"\n'
    )
    flaky.chmod(0o755)
    sandbox.environment |= {"GAPFINDER_NSYS": str(flaky)}
    done = capture(sandbox, *CALM, "--no-diagnose", "-o", "kept", "--", sys.executable, "-c", SPEAKS, 0)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "failed").exists()
    assert done.stdout.startswith("out ")
    assert left(sandbox) == ["kept.nsys-rep"]


def test_nsys_that_hangs_before_it_starts_the_program_is_killed_and_tries_again(sandbox, tmp_path, monkeypatch):
    hangs = tmp_path / "nsys"
    hangs.write_text(
        f'#!/bin/sh\ncase "$*" in *--output=*) mkdir {tmp_path}/hung && {{ sh -c "sleep 301; :"; exit; }};; esac\n'
        f'exec {nsys.require()} "$@"\n'
    )
    hangs.chmod(0o755)
    real = Abilities.of(nsys.require())
    request = Request(("sleep", "0.1"), sandbox.work / "kept.nsys-rep")
    monkeypatch.setattr(record, "START_S", 5)
    recorded = record.record(request, split(RECORDINGS, real)[0], replace(real, path=hangs), [])
    assert (tmp_path / "hung").exists()
    assert recorded.status == 0
    assert left(sandbox) == ["kept.nsys-rep"]
    assert not any(b"sleep 301" in command for command in command_lines())


def test_captures_at_once_hold_their_own_program_alone(sandbox, tmp_path):
    """Even where nsys puts its files elsewhere than in TMPDIR, and names them by PIDs that are the same in every namespace."""
    elsewhere = tmp_path / "nsys"
    elsewhere.write_text(f'#!/bin/sh\nunset TMPDIR\nexec {nsys.require()} "$@"\n')
    elsewhere.chmod(0o755)
    sandbox.environment |= {"GAPFINDER_NSYS": str(elsewhere)}
    isolated = {"first": "--isolate", "second": "--isolate", "third": "--isolate", "fourth": "--isolate", "fifth": "--no-isolate"}
    running = [
        start(sandbox, *CALM, how, "--no-diagnose", "-o", name, "--", sys.executable, "-c", NAMES, name)
        for name, how in isolated.items()
    ]
    for process in running:
        try:
            _, err = process.communicate(timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            pytest.fail(f"a capture hangs, with {left(sandbox)}: {process.communicate()}")
        assert process.returncode == 0, err
    for name in isolated:
        with closing(exported(sandbox, f"{name}.nsys-rep")) as report:
            assert range_names(report) == [name] * 40


def test_the_program_keeps_its_rights_and_no_more(sandbox):
    """A namespace of a user takes capabilities to prepare, and the program must not have them."""
    rights = [
        capture(sandbox, isolate, "--no-diagnose", "--force", "-o", "it", "--", "grep", "Cap", "/proc/self/status").stdout
        for isolate in ("--isolate", "--no-isolate")
    ]
    assert rights[0] == rights[1] != ""


def test_nsys_dies(sandbox):
    process = started(sandbox, *CALM, "-o", "lost", "--", sys.executable, "-c", WAITS)
    if not (children := children_of(children_of(process.pid)[0])):
        pytest.skip("this machine allows no PID namespace: the program outlives nsys, and this test would wait for it")
    os.kill(children[0], signal.SIGKILL)
    _, err = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 3
    assert re.search(r"nsys \S+ ended \(status \d+\) before it wrote the report.*run \S*QdstrmImporter -i lost.qdstrm", err)
    assert left(sandbox) == ["began", "lost.qdstrm"]


def test_what_a_killed_capture_left_is_removed_by_the_next(sandbox):
    process = started(sandbox, *CALM, "-o", "lost", "--", sys.executable, "-c", WAITS)
    children = children_of(process.pid)
    for each in (*(grandchild for child in children for grandchild in children_of(child)), *children, process.pid):
        os.kill(each, signal.SIGKILL)
    process.communicate(timeout=TIMEOUT_S)
    assert [name for name in left(sandbox) if name.startswith(".")]
    done = capture(sandbox, *CALM, "--no-diagnose", "-o", "next", "--", "true")
    assert done.returncode == 0, done.stderr
    assert left(sandbox) == ["began", "next.nsys-rep"]


def test_nsys_that_makes_a_folder_and_prints_without_end(sandbox, tmp_path):
    odd = tmp_path / "nsys"
    odd.write_text(
        '#!/bin/bash\nfor each; do case "$each" in --output=*) mkdir -p "${each#--output=}/x" && '
        f'head -c 5000000 /dev/zero | tr "\\0" x; exit 0;; esac; done\nexec {nsys.require()} "$@"\n'
    )
    odd.chmod(0o755)
    sandbox.environment |= {"GAPFINDER_NSYS": str(odd)}
    done = capture(sandbox, *CALM, "-o", "it", "--", "true")
    assert done.returncode == 3
    assert "did not start the program (status 0); it printed: xxx" in done.stderr
    assert len(done.stderr) < 3000
    assert left(sandbox) == []


def test_without_nsys(sandbox, tmp_path):
    environment = sandbox.environment | {"PATH": str(tmp_path)}
    environment.pop("GAPFINDER_NSYS", None)
    shutil.copy("/bin/true", tmp_path / "program")
    sandbox.environment = environment
    done = capture(sandbox, "--", "program")
    if "recording" in done.stderr:
        pytest.skip("an nsys stands in one of its usual places")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("gapfinder: no nsys was found")
    assert "https://developer.nvidia.com/nsight-systems" in done.stderr


def start(sandbox, *arguments):
    return subprocess.Popen(
        [*GAPFINDER, "capture", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=sandbox.environment,
        cwd=sandbox.work,
    )


def started(sandbox, *arguments):
    """A capture whose program has begun."""
    process = start(sandbox, *arguments)
    wait_for(sandbox.work / "began")
    return process


def children_of(pid):
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def command_lines():
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has ended meanwhile
            yield path.read_bytes()


def test_the_time_is_shown_below_what_the_program_writes(sandbox):
    """Apart from what is drawn on the last line, each time with the cursor saved, the terminal gets what the program wrote."""
    program = (
        "import sys, time\nfor n in range(100):\n print(f'\\rstep {n}', end='', flush=True, file=sys.stderr); time.sleep(0.1)"
    )
    seen = sandbox.in_terminal("capture", "--no-diagnose", "--duration", "3", "-o", "it", "--", sys.executable, "-c", program)
    drawn = re.findall(r"\x1b7(.*?)\x1b8", seen, re.DOTALL)
    assert any("recording, 2 s" in line for line in drawn)
    assert any(re.search(r"about \d s left", line) for line in drawn)
    assert drawn[-1] == "\x1b[r\x1b[30;1H\x1b[2K"  # all lines scroll again, and the last one is empty
    rest = re.sub(r"\x1b7.*?\x1b8", "", seen, flags=re.DOTALL)
    assert re.search(r"\rstep 0(\rstep \d+){10,}", rest)
    assert "\x1b" not in rest.replace("\x1b[1A", "", 1)
