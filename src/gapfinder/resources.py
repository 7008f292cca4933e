"""What ships with the package: its version, and the folders that stand beside `src/` in a checkout."""

from functools import cache
from pathlib import Path

__version__ = "0.1.0"


@cache
def folder(name: str) -> Path:
    """The checkout's folder of that name where there is one, so that no copy goes stale; else the package's."""
    package = Path(__file__).parent
    checkout = package.parents[1] / name
    return checkout if checkout.is_dir() else package / name
