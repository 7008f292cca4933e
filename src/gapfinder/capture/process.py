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
from gapfinder.capture.request import Request

# What nsys itself is started with: enough to run, and nothing that a report should not carry. LD_LIBRARY_PATH is the
# user's, since a Python that is not the system's may need it to start.
SEARCH_PATH = "/usr/local/bin:/usr/bin:/bin"
KEPT = ("LD_LIBRARY_PATH",)
ANY_RANGE = {"NSYS_NVTX_PROFILER_REGISTER_ONLY": "0"}  # else ranges with plain strings, as torch's, bound no capture
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
        status = process.wait()
    return 128 - status if status < 0 else status, interrupts.count > 0, said.read_text(errors="replace")


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
        if number == signal.SIGTERM:  # comes to this process alone, and `unshare` would keep it to itself
            pid = self._process.pid
            children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
            os.kill(int(children[0]) if children else pid, number)
            return
        self.count += 1
        if self.count > 1:
            self._process.kill()
