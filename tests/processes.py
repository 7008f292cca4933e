"""Runs gapfinder as its users do: as a process, in an empty folder, with nothing of this machine but its nsys."""

import os
import pty
import subprocess
import sys
import termios
import time
from typing import NamedTuple

import pytest

from gapfinder.ingest.nsys import report as nsys

GAPFINDER = (sys.executable, "-m", "gapfinder")
TIMEOUT_S = 120

needs_nsys = pytest.mark.skipif(
    nsys.find() is None, reason="no nsys on this machine: GAPFINDER_NSYS may name one, .ci/install-nsys installs one"
)


class Done(NamedTuple):
    """What is left of a process."""

    status: int
    output: str
    errors: str


class Sandbox:
    """Home, temporary folder and working folder of a process: its own, and empty."""

    def __init__(self, folder):
        self.home, self.temporary, self.work = (folder / name for name in ("home", "temporary", "work"))
        for path in (self.home, self.temporary, self.work):
            path.mkdir()
        rest = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
        self.environment = rest | {"HOME": str(self.home), "TMPDIR": str(self.temporary), "PAGER": "cat"}

    def gapfinder(self, *arguments):
        command = [*GAPFINDER, *map(str, arguments)]
        return subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=TIMEOUT_S, env=self.environment, cwd=self.work
        )

    def peak_of(self, *arguments):
        """The memory that gapfinder takes at most, in bytes, and what is left of it without its output."""
        watched = "import resource, subprocess, sys; code = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL);"
        watched += "print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)"
        command = [sys.executable, "-c", watched, *GAPFINDER, *map(str, arguments)]
        done = subprocess.run(
            command, capture_output=True, text=True, check=True, timeout=TIMEOUT_S, env=self.environment, cwd=self.work
        )
        status, peak_bytes = map(int, done.stdout.split())
        return peak_bytes, Done(status, "", done.stderr)

    def in_terminal(self, *arguments, errors_alone=False):
        """What a terminal shows of gapfinder until it ends without an error; with `errors_alone`, of its standard error."""
        master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (30, 100))
        process = subprocess.Popen(
            [*GAPFINDER, *map(str, arguments)],
            stdin=slave,
            stdout=subprocess.DEVNULL if errors_alone else slave,
            stderr=slave,
            env={"COLUMNS": "100", "LINES": "30"} | self.environment | {"TERM": "xterm"},
            cwd=self.work,
        )
        os.close(slave)
        seen = b""
        try:
            while part := os.read(master, 65536):
                seen += part
        except OSError:  # its end, on Linux
            pass
        os.close(master)
        assert process.wait(TIMEOUT_S) == 0
        return seen.decode()

    def left_behind(self):
        return [*self.temporary.iterdir(), *self.work.iterdir()]


def wait_for(file):
    """Wait until a process has made the file."""
    ends = time.monotonic() + TIMEOUT_S
    while not file.exists():
        assert time.monotonic() < ends, f"{file} never came"
        time.sleep(0.02)
