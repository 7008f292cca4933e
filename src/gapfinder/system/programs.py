"""Runs another program to its end, and returns what it printed."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path


def ran(command: Sequence[str | Path], environment: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """The exit status and the output of a program, whatever bytes it printed. Raises OSError if it cannot be run."""
    return subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False, env=environment)
