"""Runs gapfinder as its users do: as a process, in an empty folder, with nothing of this machine but its nsys."""

import os
import subprocess
import sys
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
        self.environment = rest | {"HOME": str(self.home), "TMPDIR": str(self.temporary)}

    def gapfinder(self, *arguments):
        command = [*GAPFINDER, *map(str, arguments)]
        return subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=TIMEOUT_S, env=self.environment, cwd=self.work
        )

    def left_behind(self):
        return [*self.temporary.iterdir(), *self.work.iterdir()]
