"""Folders for temporary files that go even where gapfinder was killed: whoever needs one next removes those left behind."""

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from glob import escape
from pathlib import Path

PREFIX = "gapfinder-scratch-"
NEW_S = 10  # an empty folder this young may be one that is not locked yet


@contextmanager
def scratch(beside: Path | None = None) -> Iterator[Path]:
    """An empty folder, removed at the end: among the system's temporary files, or hidden beside a file that is to be.

    Raises OSError where none can be made.
    """
    home, prefix = (beside.parent, f".{beside.name}.{PREFIX}") if beside else (Path(tempfile.gettempdir()), PREFIX)
    for left in home.glob(f"{escape(prefix)}*"):
        with suppress(OSError), _locked(left):  # one that is locked is in use; one of another user cannot be removed
            if any(left.iterdir()) or time.time() - left.stat().st_mtime > NEW_S:
                shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=prefix, dir=home, ignore_cleanup_errors=True) as name, ExitStack() as stack:
        with suppress(OSError):  # a network's disk may know no locks of folders; then nobody takes this one for left either
            stack.enter_context(_locked(Path(name)))
        yield Path(name)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Holds a lock that ends with this process, whatever becomes of it. Raises OSError where another holds it."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)
