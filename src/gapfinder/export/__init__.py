"""Exporters write a trace for other tools. Each module here is one format, and its name is the name of the format."""

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from gapfinder.trace import OpenTrace


class Exporter(Protocol):
    """A module with one function. The first line of its docstring is the help text of its option."""

    __doc__: str

    def write(self, trace: "OpenTrace", path: Path) -> None:
        """Write the file; an existing file is replaced."""


def formats() -> list[str]:
    """The names of all formats."""
    return sorted(module.name for module in iter_modules(__path__))


def exporter(name: str) -> Exporter:
    """The exporter for a format. It imports the rest of gapfinder only when it writes, so that `--help` is quick."""
    module: Exporter = import_module(f"{__name__}.{name}")
    return module
