"""Renderers: each module shows a diagnosis in one format, and is found by its name.

Those of a comparison and of a what-if are in `render.comparison` and `render.whatif`, found in the same way.
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import Protocol

from gapfinder.diagnosis.model import Diagnosis


class Renderer(Protocol):
    """A module of this package."""

    def render(self, diagnosis: Diagnosis, *, width: int, color: bool) -> str:
        """The whole text, with a newline at its end."""


def formats() -> list[str]:
    """Names of the output formats."""
    return sorted(module.name for module in iter_modules(__path__) if not module.ispkg)


def renderer(name: str) -> Renderer:
    """The renderer for a format."""
    return import_module(f"{__name__}.{name}")
