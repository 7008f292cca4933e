"""The key by which names become codes: the same name gets the same code in every trace, and only who has the key can tell."""

import os
import secrets
from contextlib import suppress
from pathlib import Path

from gapfinder.errors import UsageError

KEY_BYTES = 32


def usual_file() -> Path:
    """Where the user's own key is."""
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "gapfinder" / "names.key"


def read_key(file: Path | None = None) -> bytes:
    """The key in `file`, or else the user's own; a new one is made where there is none. Raises UsageError."""
    place = file or usual_file()
    none = f"{place} is no key for codes: name another file with --key, which is made if it is not there"
    try:
        if file is None:
            place.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            place.touch(0o600, exist_ok=False)
            place.write_text(secrets.token_hex(KEY_BYTES) + "\n")
        key = bytes.fromhex(place.read_text())
    except OSError as error:
        raise UsageError(f"{place} cannot hold the key for codes ({error.strerror}): name another file with --key") from error
    except ValueError as error:
        raise UsageError(none) from error
    if len(key) != KEY_BYTES:
        raise UsageError(none)
    return key
