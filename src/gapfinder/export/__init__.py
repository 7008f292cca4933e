"""Exporters: each module writes a trace as a file of one format for other tools, and is found by its name."""

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from gapfinder.trace import OpenTrace


class Exporter(Protocol):
    """A module with one function; the first line of its docstring says what it writes."""

    __doc__: str

    def write(self, trace: "OpenTrace", path: Path) -> None:
        """Write the file, over one that is there."""


def formats() -> list[str]:
    """Names of the formats."""
    return sorted(module.name for module in iter_modules(__path__))


def exporter(name: str) -> Exporter:
    """The exporter for a format. It imports what reads traces when it writes, so that `--help` is quick."""
    module: Exporter = import_module(f"{__name__}.{name}")
    return module
