"""Folders for temporary files that go even where gapfinder was killed: whoever needs one next removes those left behind."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from glob import escape
from pathlib import Path

PREFIX = "gapfinder-scratch-"


@contextmanager
def scratch(beside: Path | None = None) -> Iterator[Path]:
    """An empty folder, removed at the end: among the system's temporary files, or hidden beside a file that is to be.

    Raises OSError where none can be made.
    """
    home, prefix = (beside.parent, f".{beside.name}.{PREFIX}") if beside else (Path(tempfile.gettempdir()), PREFIX)
    for left in home.glob(f"{escape(prefix)}*"):
        with suppress(OSError), _locked(left):  # one that is locked is in use; one of another user cannot be removed
            shutil.rmtree(left, ignore_errors=True)
    with ExitStack() as stack:
        yield _made(stack, home, prefix)


def _made(stack: ExitStack, home: Path, prefix: str) -> Path:
    """A new folder that is locked; another one where somebody took it for left behind before it was."""
    while True:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix=prefix, dir=home, ignore_cleanup_errors=True)))
        try:
            stack.enter_context(_locked(folder))
        except (BlockingIOError, FileNotFoundError):
            continue
        except OSError:  # a network's disk may know no locks of folders; then nobody takes this one for left either
            return folder
        if folder.exists():
            return folder


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Holds a lock that ends with this process, whatever becomes of it. Raises OSError where another holds it."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)
