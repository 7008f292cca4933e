"""The key by which names become codes: the same name gets the same code in every trace, and only who has the key can tell."""

import os
import secrets
from pathlib import Path

from gapfinder.errors import UsageError

KEY_BYTES = 32


def usual_file() -> Path:
    """Where the user's own key is."""
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "gapfinder" / "names.key"


def read_key(file: Path | None = None) -> bytes:
    """The key in `file`, or else the user's own; a new one is made where there is none. Raises UsageError."""
    place = file or usual_file()
    try:
        if file is None:
            place.parent.mkdir(parents=True, exist_ok=True)
        try:
            with open(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as new:  # noqa: PTH123  with its mode
                new.write(secrets.token_hex(KEY_BYTES) + "\n")
        except FileExistsError:
            pass
        key = bytes.fromhex(place.read_text())
    except OSError as error:
        raise UsageError(f"{place} cannot hold the key for codes ({error.strerror}): name another file with --key") from error
    except ValueError as error:
        raise UsageError(f"{place} is no key for codes: name another file with --key, which is made if it is not there") from error
    if len(key) != KEY_BYTES:
        raise UsageError(f"{place} is no key for codes: name another file with --key, which is made if it is not there")
    return key
