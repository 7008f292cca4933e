"""Finds the workloads: every script in `workloads/` that plants a cause."""

import ast
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from gapfinder import resources
from gapfinder.errors import CaptureError, UsageError

VARIANTS = {"faulty": (), "fixed": ("--fixed",), "control": ("--control",)}
_PLANTED = re.compile(r"# plants: (\w+)(?: on rank (\d+))?\s*$")
_CAPTURE = re.compile(r"^# capture: (.+)$", re.MULTILINE)
_NEEDS = re.compile(r"^# needs: (\d+) GPUs$", re.MULTILINE)
COUNT_GPUS = "import torch; print(torch.cuda.device_count())"


@dataclass(frozen=True)
class Workload:
    """A script: the cause that it plants on `line`, how many GPUs it needs, and options of `gapfinder capture` for it.

    `rank` is the one that has the cause, None where it is planted on all of them, or there is one process.
    """

    path: Path
    cause: str
    rank: int | None
    line: int
    summary: str
    gpus: int
    capture_options: tuple[str, ...]

    @property
    def name(self) -> str:
        """What users call it."""
        return self.path.stem

    @property
    def place(self) -> str:
        """The planted line, as evidence names it."""
        return f"{self.path.name}:{self.line}"

    def command(self, variant: str, *arguments: str) -> tuple[str, ...]:
        """The command that runs it: `variant` is faulty, fixed or control."""
        return (sys.executable, str(self.path), *VARIANTS[variant], *arguments)


def found() -> list[Workload]:
    """All workloads, by name."""
    return [workload for path in sorted(resources.folder("workloads").glob("*.py")) if (workload := _read(path))]


def named(name: str) -> Workload:
    """The workload of that name. Raises UsageError, with their names, where there is none."""
    workloads = {workload.name: workload for workload in found()}
    if name not in workloads:
        raise UsageError(f"there is no workload {name!r}; there are {', '.join(workloads)}")
    return workloads[name]


def gpus_here() -> int:
    """How many GPUs torch finds. Raises CaptureError where there is no torch."""
    done = subprocess.run([sys.executable, "-c", COUNT_GPUS], capture_output=True, text=True, check=False)
    if done.returncode:
        raise CaptureError(f"workloads need PyTorch, which {sys.executable} has not: pip install 'gapfinder[workloads]'")
    return int(done.stdout)


def _read(path: Path) -> Workload | None:
    text = path.read_text()
    planted = [(number, match) for number, line in enumerate(text.splitlines(), 1) if (match := _PLANTED.search(line))]
    if not planted:
        return None
    line, (cause, rank) = planted[0][0], planted[0][1].groups()
    summary = (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]
    needs = _NEEDS.search(text)
    options = tuple(option for match in _CAPTURE.finditer(text) for option in match[1].split())
    return Workload(path, cause, int(rank) if rank else None, line, summary, int(needs[1]) if needs else 1, options)
