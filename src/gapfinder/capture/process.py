"""Starts nsys with the program under it, and waits for both."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from types import FrameType
from typing import Self

from gapfinder.capture import launcher
from gapfinder.capture.isolation import NAMESPACE
from gapfinder.capture.request import Request

# What nsys itself is started with: enough to run, and nothing that a report should not carry. LD_LIBRARY_PATH is the
# user's, since a Python that is not the system's may need it to start.
SEARCH_PATH = "/usr/local/bin:/usr/bin:/bin"
KEPT = ("LD_LIBRARY_PATH",)
ANY_RANGE = {"NSYS_NVTX_PROFILER_REGISTER_ONLY": "0"}  # else ranges with plain strings, as torch's, bound no capture
FULL_BYTES = 1_000_000  # the smallest report is a quarter of that
LOOK_EVERY_S = 2
VARIABLES = "environment"  # the file that the launcher takes the program's environment from, and deletes


def run(nsys: list[str], request: Request, work: Path) -> tuple[int, bool, str]:
    """The exit status of nsys (the program's, where all went well), whether there was a Ctrl-C, and what nsys said.

    `nsys` is the command up to the program. The program keeps this process's folder, environment and standard streams;
    nsys gets next to none of it, and leaves what it leaves in `work`.
    """
    own = {"PATH": SEARCH_PATH, "HOME": str(work), "TMPDIR": str(work)}
    own |= {name: os.environ[name] for name in KEPT if name in os.environ}
    variables = work / VARIABLES
    variables.touch(mode=0o600)
    variables.write_bytes(b"\0".join(os.fsencode(f"{name}={value}") for name, value in request.environment().items()))
    streams = [os.dup(stream) for stream in (0, request.output_fd, 2)]
    handed_over = [str(variables), ",".join(map(str, streams)), ",".join(own)]
    program = shutil.which(request.program[0]) or request.program[0]
    command = [*nsys, sys.executable, "-I", "-S", launcher.__file__, *handed_over, program, *request.program[1:]]
    said = work / "said"
    with said.open("wb") as output:
        process = subprocess.Popen(
            command, env=own | ANY_RANGE, stdin=subprocess.DEVNULL, stdout=output, stderr=output, pass_fds=streams
        )
    for stream in streams:
        os.close(stream)
    with _Interrupts(process) as interrupts:
        status = _wait(process, work)
    return 128 - status if status < 0 else status, interrupts.count > 0, said.read_text(errors="replace")


def is_full(folder: Path) -> bool:
    """Whether a report could not be written there any more."""
    return shutil.disk_usage(folder).free < FULL_BYTES


def _wait(process: subprocess.Popen[bytes], work: Path) -> int:
    """The exit status of nsys. It hangs on a full disk, and is ended then, with the program."""
    while True:
        try:
            return process.wait(LOOK_EVERY_S)
        except subprocess.TimeoutExpired:
            if is_full(work):
                _end(process, signal.SIGKILL)


def _end(process: subprocess.Popen[bytes], number: int) -> None:
    """Send nsys a signal; `unshare`, where that stands before it, would keep it to itself."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    isolated = Path(f"/proc/{process.pid}/comm").read_text().strip() == NAMESPACE[0]
    os.kill(int(children[0]) if children and isolated else process.pid, number)


class _Interrupts:
    """While nsys runs, a Ctrl-C is nsys's: it ends the program and writes its report. A second one ends nsys."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self.count = 0

    def __enter__(self) -> Self:
        self._before = {number: signal.signal(number, self._hear) for number in (signal.SIGINT, signal.SIGTERM)}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _hear(self, number: int, _: FrameType | None) -> None:
        if number == signal.SIGTERM:  # comes to this process alone
            _end(self._process, number)
            return
        self.count += 1
        if self.count > 1:
            _end(self._process, signal.SIGKILL)
