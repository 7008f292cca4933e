"""Asks an installed nsys what it can record on this machine."""

import re
from dataclasses import dataclass
from pathlib import Path

from gapfinder.errors import CaptureError
from gapfinder.system.programs import ran

TRACES = re.compile(r"--trace=\s+Possible values are (.*?)\.\s", re.DOTALL)
CPU_SAMPLING = re.compile(r"CPU Profiling Environment(?: \(process-tree\))?: OK")


@dataclass(frozen=True)
class Abilities:
    """What one nsys can record. `options` are the flags of `nsys profile`, `traces` the values that --trace takes.

    `samples_cpus` says whether this machine allows it to sample CPUs and to record context switches.
    """

    path: Path
    version: str
    options: frozenset[str]
    traces: frozenset[str]
    samples_cpus: bool

    @classmethod
    def of(cls, path: Path) -> "Abilities":
        """Ask the nsys at `path`. Raises CaptureError if it does not run or is not nsys."""
        help_text = _output(path, "profile", "--help")
        traces = TRACES.search(help_text)
        if traces is None:
            raise CaptureError(
                f"{path} does not say what it can trace: is it Nsight Systems? Set GAPFINDER_NSYS to use another nsys"
            )
        version = re.search(r"\d+(?:\.\d+)+", _output(path, "--version"))
        return cls(
            path,
            version[0] if version else "of unknown version",
            frozenset(re.findall(r"--[a-z][a-z0-9-]*", help_text)),
            frozenset(re.findall(r"'([\w-]+)'", traces[1])),
            CPU_SAMPLING.search(_output(path, "status", "--environment")) is not None,
        )


def _output(path: Path, *arguments: str) -> str:
    try:
        process = ran([path, *arguments])
    except OSError as error:
        raise CaptureError(f"{path} cannot be run: {error.strerror}; set GAPFINDER_NSYS to use another nsys") from error
    return process.stdout + process.stderr
