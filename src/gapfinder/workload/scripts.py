"""Finds the workloads: the scripts in `workloads/` with a line that plants a cause."""

import ast
import re
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from gapfinder import resources
from gapfinder.errors import CaptureError, UsageError, did_you_mean
from gapfinder.system.programs import ran

VARIANTS = {"faulty": (), "fixed": ("--fixed",), "control": ("--control",)}
_PLANTED = re.compile(r"# plants: (\w+)(?: on rank (\d+))?\s*$")
_CAPTURE = re.compile(r"^# capture: (.+)$", re.MULTILINE)
_NEEDS = re.compile(r"^# needs: (\d+) GPUs$", re.MULTILINE)
COUNT_GPUS = "import torch; print(torch.cuda.device_count())"


@dataclass(frozen=True)
class Workload:
    """A script. It plants `cause` in its line number `line`, needs `gpus` GPUs, and is captured with `capture_options`.

    `rank` is the rank with the cause; None if all ranks have it, or if there is only one process.
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
        """The name that commands take."""
        return self.path.stem

    def command(self, variant: str, *arguments: str) -> tuple[str, ...]:
        """The command line that runs it. `variant` is faulty, fixed or control."""
        return (sys.executable, str(self.path), *VARIANTS[variant], *arguments)


def all_workloads() -> list[Workload]:
    """All workloads, sorted by name."""
    return [workload for path in sorted(resources.folder("workloads").glob("*.py")) if (workload := _read(path))]


def workload_named(name: str) -> Workload:
    """The workload of that name. Raises UsageError, which lists all names, if there is none."""
    workloads = {workload.name: workload for workload in all_workloads()}
    if name not in workloads:
        raise UsageError(
            f"there is no workload {name!r}{did_you_mean(name, workloads)}; the workloads are {', '.join(workloads)}"
        )
    return workloads[name]


def count_gpus() -> int:
    """The number of GPUs that torch finds. Raises CaptureError if there is no torch."""
    check_torch()
    process = ran([sys.executable, "-P", "-c", COUNT_GPUS], soon=False)
    if process.returncode:
        reason = (process.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise CaptureError(f"workloads need PyTorch, and that of {sys.executable} does not work: {reason}")
    return int(process.stdout)


def check_torch() -> None:
    """Raise CaptureError, which says what to install, if there is no torch."""
    if not find_spec("torch"):
        raise CaptureError(f"workloads need PyTorch, and {sys.executable} does not have it: pip install torch")


def _read(path: Path) -> Workload | None:
    text = path.read_text(encoding="utf-8")
    planted = [(number, match) for number, line in enumerate(text.splitlines(), 1) if (match := _PLANTED.search(line))]
    if not planted:
        return None
    line, (cause, rank) = planted[0][0], planted[0][1].groups()
    summary = (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]
    needs = _NEEDS.search(text)
    options = tuple(option for match in _CAPTURE.finditer(text) for option in match[1].split())
    return Workload(path, cause, int(rank) if rank else None, line, summary, int(needs[1]) if needs else 1, options)
