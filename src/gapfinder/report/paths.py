"""How much of a source file's path a page shows."""

from collections.abc import Iterable
from pathlib import PurePath

PARTS = 2  # of a source file: what is above is whose machine it was, and nobody else's business


def shortened(text: str, lines: Iterable[str]) -> str:
    """A text with the paths of these source lines cut short in it."""
    for line in lines:
        text = text.replace(line, "/".join(PurePath(line).parts[-PARTS:]))
    return text
