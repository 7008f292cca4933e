"""Chooses the name of a report."""

import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from gapfinder.errors import UsageError
from gapfinder.system.paths import real

SUFFIX = ".nsys-rep"


def report_path(program: tuple[str, ...], output: Path | None, *, force: bool) -> Path:
    """The path of the report: `output`, or else the name of the program, with a number if that file exists.

    Raises UsageError if the program does not exist, or if `output` exists and `force` is not given.
    """
    if shutil.which(program[0]) is None:
        raise UsageError(f"there is no program {program[0]!r} to run")
    if output is None:
        return next(path for path in _numbered(Path(f"{_name(program)}{SUFFIX}")) if not path.exists())
    path = output if output.suffix == SUFFIX else output.with_name(output.name + SUFFIX)
    if path.exists() and not force:
        raise UsageError(f"{path} exists: choose another name with -o, or overwrite it with --force")
    return path


def placed(file: Path, wanted: Path, *, force: bool) -> Path:
    """Move a file to the path that is wanted; where somebody took that meanwhile, and without `force`, to one with a number."""
    if force:
        file.replace(real(wanted))
        return wanted
    path = next(path for path in _numbered(wanted) if _is_made(path))
    try:
        file.replace(real(path))
    except OSError:
        real(path).unlink()
        raise
    return path


def _numbered(path: Path) -> Iterator[Path]:
    """The path, and then the same with 1, 2 and so on behind its name."""
    return (path.with_name(f"{path.stem}{number or ''}{path.suffix}") for number in count())


def _is_made(path: Path) -> bool:
    """Make an empty file, unless there is one: two programs cannot both do so."""
    try:
        real(path).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def _name(program: tuple[str, ...]) -> str:
    """`train` for `python train.py` and `torchrun --nproc-per-node 2 train.py`; `app.train` for `python -m app.train`."""
    script = next((part for part in program if part.endswith(".py")), None)
    if script:
        return Path(script).stem
    if "-m" in program[1:-1]:
        return program[program.index("-m") + 1]
    return Path(program[0]).name
