"""Starts nsys, which starts the program, and waits for both."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Self

from gapfinder.capture import launcher
from gapfinder.capture.isolation import NAMESPACE
from gapfinder.capture.request import Request
from gapfinder.ingest.nsys.report import FULL_DISK_BYTES

# The environment of nsys: what it needs to run, and nothing that a report must not hold. LD_LIBRARY_PATH is the user's, because a
# Python that the user installed may need it to start.
SEARCH_PATH = "/usr/local/bin:/usr/bin:/bin"
KEPT = ("LD_LIBRARY_PATH",)
ALL_RANGES = {"NSYS_NVTX_PROFILER_REGISTER_ONLY": "0"}  # else --capture-range ignores ranges with plain strings, such as torch's
CHECK_EVERY_S = 0.5
MOST_OUTPUT_BYTES = 1 << 20  # of nsys
WRITES_REPORT = "Generating"  # what nsys prints when the recording is over
VARIABLES = "environment"  # the file with the program's environment; the launcher reads and deletes it


@dataclass(frozen=True)
class Run:
    """What became of nsys and the program: the exit status, which is the program's if nsys had no error, and the output of nsys.

    `recorded_s` is how long the program was recorded, at most 1 s off; `interrupted` says whether the user pressed Ctrl-C, and
    `hung` that nsys was killed because it did not start the program.
    """

    status: int
    interrupted: bool
    hung: bool
    output: str
    recorded_s: float


def run(nsys: list[str], request: Request, work: Path, update: Callable[[str], None], start_s: float) -> Run:
    """Run nsys with the program until both have ended. `update` is called with what goes on, about twice a second.

    `nsys` is the command line before the program. The program has this
    process's folder, environment and standard streams; nsys has almost no environment, and writes its files into `work`.
    If it has not started the program after `start_s`, it is killed.
    """
    environment = {"PATH": SEARCH_PATH, "HOME": str(work), "TMPDIR": str(work)}
    environment |= {name: os.environ[name] for name in KEPT if name in os.environ}
    variables = work / VARIABLES
    variables.touch(mode=0o600)
    variables.write_bytes(b"\0".join(os.fsencode(f"{name}={value}") for name, value in request.environment().items()))
    streams = [os.dup(stream) for stream in (0, request.output_fd, 2)]
    launcher_arguments = [str(variables), ",".join(map(str, streams)), ",".join(environment)]
    program = shutil.which(request.program[0]) or request.program[0]
    command = [*nsys, sys.executable, "-I", "-S", launcher.__file__, *launcher_arguments, program, *request.program[1:]]
    log = work / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, env=environment | ALL_RANGES, stdin=subprocess.DEVNULL, stdout=output, stderr=output, pass_fds=streams
        )
    for stream in streams:
        os.close(stream)
    with _Interrupts(process) as interrupts:
        status, hung, recorded_s = _wait(process, work, log, variables, lambda past_s: update(request.doing(past_s)), start_s)
    return Run(
        128 - status if status < 0 else status,
        interrupts.count > 0,
        hung,
        _end_of(log),
        recorded_s,
    )


def is_full(folder: Path) -> bool:
    """Whether the disk of the folder has no space for a report."""
    return shutil.disk_usage(folder).free < FULL_DISK_BYTES


def _end_of(log: Path) -> str:
    """The last part of what nsys printed."""
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - MOST_OUTPUT_BYTES))
        return file.read(MOST_OUTPUT_BYTES).decode(errors="replace")


def _wait(
    process: subprocess.Popen[bytes],
    work: Path,
    log: Path,
    variables: Path,
    tell: Callable[[float | None], None],
    start_s: float,
) -> tuple[int, bool, float]:
    """Wait for nsys; returns its exit status, whether it hung, and for how long it recorded the program.

    The program begins when `variables` is gone, `start_s` from now at the latest: else nsys is killed. `tell` gets the seconds
    since then; None once the recording is over. On a full disk nsys hangs, so it is killed then, with the program.
    """
    began_s = ended_s = None
    hung = False
    late_s = time.monotonic() + start_s
    while True:
        try:
            status = process.wait(CHECK_EVERY_S)
        except subprocess.TimeoutExpired:
            if is_full(work):
                _send(process, signal.SIGKILL)
        else:
            ended_s = ended_s or time.monotonic()
            return status, hung, ended_s - (began_s or ended_s)
        if not variables.exists():
            began_s = began_s or time.monotonic()
        elif time.monotonic() > late_s:
            hung = True
            _kill_with_descendants(process.pid)
        if ended_s is None and WRITES_REPORT in _end_of(log):
            ended_s = time.monotonic()
        if began_s:
            tell(None if ended_s else time.monotonic() - began_s)


def _send(process: subprocess.Popen[bytes], number: int) -> None:
    """Send nsys a signal. If `unshare` runs nsys, its child gets the signal, because `unshare` does not pass it on."""
    children = _children(process.pid)
    isolated = Path(f"/proc/{process.pid}/comm").read_text(encoding="utf-8").strip() == NAMESPACE[0]
    os.kill(children[0] if children and isolated else process.pid, number)


def _kill_with_descendants(pid: int) -> None:
    """Kill a process and all that it started, which else stay: nsys starts the program by a process of its own."""
    children = _children(pid)
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    for child in children:
        _kill_with_descendants(child)


def _children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()]
    except (FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
        return []


class _Interrupts:
    """Handles signals while nsys runs. At a first Ctrl-C nsys ends the program and writes the report; a second one kills nsys.

    At SIGTERM, and when the terminal is closed, nsys ends the program and writes the report, too.
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self.count = 0

    def __enter__(self) -> Self:
        self._before = {number: signal.signal(number, self._handle) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _handle(self, number: int, _: FrameType | None) -> None:
        if number != signal.SIGINT:  # the terminal sends SIGINT to nsys, too
            _send(self._process, signal.SIGTERM)
            return
        self.count += 1
        if self.count > 1:
            _send(self._process, signal.SIGKILL)
