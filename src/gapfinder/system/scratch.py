"""Temporary folders that do not stay behind: if gapfinder was killed, the next run that needs one removes the old ones."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from glob import escape
from pathlib import Path

from gapfinder.system.ending import at_the_end
from gapfinder.system.interrupting import uninterrupted
from gapfinder.system.paths import real

PREFIX = "gapfinder-scratch-"
_in_use: set[ExitStack] = set()
_kept: set[Path] = set()  # inputs, and all folders around them


def keep(path: Path) -> None:
    """Never remove a folder that holds this input: somebody may look at what a killed run left."""
    found = real(path)
    _kept.update((found, *found.parents))


@contextmanager
def scratch(beside: Path | None = None) -> Iterator[Path]:
    """An empty folder that is removed at the end: in the system's temporary folder, or hidden in the folder of the file `beside`.

    Raises OSError if it cannot be made.
    """
    parent, prefix = (beside.parent, f".{PREFIX}") if beside else (Path(tempfile.gettempdir()), PREFIX)
    for abandoned in parent.glob(f"{escape(prefix)}*"):
        if real(abandoned) in _kept:
            continue
        with suppress(OSError), _locked(abandoned):  # fails for a folder that is in use or another user's
            shutil.rmtree(abandoned, ignore_errors=True)
    stack = ExitStack()
    _in_use.add(stack)
    try:
        yield uninterrupted(lambda: _new_folder(stack, parent, prefix))
    finally:
        uninterrupted(stack.close)
        _in_use.discard(stack)


def remove_all() -> None:
    """Remove what is left, before a process ends: Ctrl-C may come between the making of a folder and what would remove it."""
    while _in_use:
        uninterrupted(_in_use.pop().close)


at_the_end(remove_all)


def _after_fork() -> None:
    """In the child, leave the folders to the parent."""
    for stack in _in_use:
        stack.pop_all()
    _in_use.clear()


os.register_at_fork(after_in_child=_after_fork)


def _new_folder(stack: ExitStack, parent: Path, prefix: str) -> Path:
    """A new folder with a lock. If another process removes it before it is locked, another folder is made."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        try:
            stack.enter_context(_locked(folder))
        except (BlockingIOError, FileNotFoundError):
            continue
        except OSError:  # a network file system may not lock folders; then no process removes this folder either
            return folder
        if folder.exists():
            return folder


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Holds a lock on a folder. The system releases it when this process ends. Raises OSError if another process holds it."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)
