"""The version of the package, and the folders that ship with it (in a checkout they stand beside `src/`)."""

from functools import cache
from pathlib import Path

__version__ = "0.1.0"


@cache
def folder(name: str) -> Path:
    """The folder of that name: the checkout's, so that edits take effect at once, or else the installed package's."""
    package = Path(__file__).parent
    checkout = package.parents[1] / name
    return checkout if checkout.is_dir() else package / name
