"""The secret key that turns names into codes. With one key, a name has the same code in every trace."""

import secrets
from contextlib import suppress
from pathlib import Path

from gapfinder.errors import OutputError, UsageError
from gapfinder.system.scratch import scratch
from gapfinder.system.small_files import own_folder, read_own

KEY_BYTES = 32


def own_key() -> Path:
    """The file of the user's own key. It need not exist."""
    return own_folder() / "names.key"


def read_key(path: Path) -> bytes:
    """The key (32 bytes) in a file. A missing file is made, with a new key.

    Raises UsageError for what is no key, and OutputError where the file can be neither read nor made.
    """
    not_a_key = f"{path} is not a key for codes: choose another file with --key; if it does not exist, it is made"
    try:
        if path == own_key():
            path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            _make(path)
        key = bytes.fromhex(read_own(path))
    except OSError as error:
        raise OutputError(f"{path} cannot be used for the key ({error.strerror}): choose another file with --key") from error
    except (ValueError, UsageError) as error:
        raise UsageError(not_a_key) from error
    if len(key) != KEY_BYTES:
        raise UsageError(not_a_key)
    return key


def _make(path: Path) -> None:
    """A new key, which is there whole or not at all. One that somebody else made meanwhile stays."""
    with scratch(beside=path) as folder, suppress(FileExistsError):
        new = folder / path.name
        new.touch(0o600)
        new.write_text(secrets.token_hex(KEY_BYTES) + "\n", encoding="ascii")
        path.hardlink_to(new)
