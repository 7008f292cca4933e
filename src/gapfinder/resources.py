"""Folders that stand beside `src/` in a checkout, and inside of the package where it is installed."""

from functools import cache
from pathlib import Path


@cache
def folder(name: str) -> Path:
    """The checkout's folder of that name where there is one, so that no copy goes stale; else the package's."""
    package = Path(__file__).parent
    checkout = package.parents[1] / name
    return checkout if checkout.is_dir() else package / name
