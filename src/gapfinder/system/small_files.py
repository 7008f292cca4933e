"""Small files of a user: settings, causes and what the shell keeps."""

import os
from pathlib import Path

from gapfinder.errors import UsageError

NO_HOME = Path("/nonexistent")  # as Debian names the home of a user without one
MOST_BYTES = 1_000_000  # nobody writes more by hand; a device has no end


def own_folder(variable: str = "XDG_CONFIG_HOME", usual: str = ".config") -> Path:
    """The user's own folder for gapfinder, below the one that the variable names. It need not exist.

    For a user without a home, as in a container, it is below a folder that is not there, and that the user cannot make.
    """
    try:
        home = Path.home()
    except RuntimeError:
        home = NO_HOME
    return Path(os.environ.get(variable) or home / usual) / "gapfinder"


def read_small(file: Path) -> str:
    """The text of a file of 1 MB at most in UTF-8. Raises UsageError."""
    try:
        with file.open("rb") as opened:
            content = opened.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise UsageError(f"{file} cannot be read: it has more than {MOST_BYTES:,} bytes")
        return content.decode("utf-8-sig").replace("\r\n", "\n")  # as editors of Windows write
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} cannot be read: it is not in UTF-8") from error


def read_own(file: Path) -> str:
    """Like `read_small`, of a file that nobody named: a pipe that happens to lie there may have no end, and no beginning."""
    if not file.is_file():
        raise UsageError(f"{file} cannot be read: it is no regular file")
    return read_small(file)
