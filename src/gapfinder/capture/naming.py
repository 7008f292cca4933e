"""Chooses the name of a report."""

import shutil
from itertools import count
from pathlib import Path

from gapfinder.errors import UsageError
from gapfinder.system.writing import real

SUFFIX = ".nsys-rep"


def report_path(program: tuple[str, ...], output: Path | None, *, force: bool) -> Path:
    """The path of the report: `output`, or else the name of the program, with a number if that file exists.

    Raises UsageError if the program does not exist, or if `output` exists and `force` is not given.
    """
    if shutil.which(program[0]) is None:
        raise UsageError(f"there is no program {program[0]!r} to run")
    if output is None:
        name = _name(program)
        return next(path for number in count() if not (path := Path(f"{name}{number or ''}{SUFFIX}")).exists())
    path = output if output.suffix == SUFFIX else output.with_name(output.name + SUFFIX)
    if path.exists() and not force:
        raise UsageError(f"{path} exists: choose another name with -o, or overwrite it with --force")
    return path


def placed(file: Path, wanted: Path, *, force: bool) -> Path:
    """Move a file to the path that is wanted; where somebody took that meanwhile, and without `force`, to one with a number."""
    if force:
        file.replace(real(wanted))
        return wanted
    for number in count():
        path = wanted.with_name(f"{wanted.stem}{number or ''}{wanted.suffix}")
        try:
            real(path).touch(exist_ok=False)
        except FileExistsError:
            continue
        file.replace(real(path))
        return path
    raise AssertionError("there is always another number")


def _name(program: tuple[str, ...]) -> str:
    """`train` for `python train.py` and `torchrun --nproc-per-node 2 train.py`; `app.train` for `python -m app.train`."""
    script = next((part for part in program if part.endswith(".py")), None)
    if script:
        return Path(script).stem
    if "-m" in program[1:-1]:
        return program[program.index("-m") + 1]
    return Path(program[0]).name
