"""Renderers: each module shows a comparison in one format, and is found by its name."""

from importlib import import_module
from pkgutil import iter_modules
from typing import Protocol

from gapfinder.comparison.model import Comparison


class Renderer(Protocol):
    """A module of this package."""

    def render(self, comparison: Comparison, *, width: int, color: bool) -> str:
        """The whole text, with a newline at its end."""


def formats() -> list[str]:
    """Names of the output formats."""
    return sorted(module.name for module in iter_modules(__path__))


def renderer(name: str) -> Renderer:
    """The renderer for a format."""
    return import_module(f"{__name__}.{name}")
