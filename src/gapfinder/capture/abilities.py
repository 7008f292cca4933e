"""What the nsys at hand can record on this machine, asked of itself."""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from gapfinder.errors import CaptureError

TRACES = re.compile(r"--trace=\s+Possible values are (.*?)\.\s", re.DOTALL)
CPU_SAMPLING = re.compile(r"CPU Profiling Environment(?: \(process-tree\))?: OK")


@dataclass(frozen=True)
class Abilities:
    """An nsys. `options` are the flags of its `nsys profile`, `traces` what its --trace may name.

    `samples_cpus` is whether this machine lets it sample CPUs and follow context switches.
    """

    path: Path
    version: str
    options: frozenset[str]
    traces: frozenset[str]
    samples_cpus: bool

    @classmethod
    def of(cls, path: Path) -> "Abilities":
        """Ask the nsys at `path`. Raises CaptureError where it does not run."""
        help_text = _said(path, "profile", "--help")
        traces = TRACES.search(help_text)
        if traces is None:
            raise CaptureError(f"{path} does not say what it can trace: is it Nsight Systems? GAPFINDER_NSYS may name another")
        version = re.search(r"\d+(?:\.\d+)+", _said(path, "--version"))
        return cls(
            path,
            version[0] if version else "of unknown version",
            frozenset(re.findall(r"--[a-z][a-z0-9-]*", help_text)),
            frozenset(re.findall(r"'([\w-]+)'", traces[1])),
            CPU_SAMPLING.search(_said(path, "status", "--environment")) is not None,
        )


def _said(path: Path, *arguments: str) -> str:
    try:
        done = subprocess.run([path, *arguments], capture_output=True, text=True, check=False)
    except OSError as error:
        raise CaptureError(f"{path} cannot be run: {error.strerror}; GAPFINDER_NSYS may name another nsys") from error
    return done.stdout + done.stderr
