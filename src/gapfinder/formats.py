"""Finds renderers: the modules of a package, each of which shows one kind of result in one format."""

from collections.abc import Iterable
from importlib import import_module
from pkgutil import iter_modules
from typing import Protocol, TypeVar

PLAIN_WIDTH = 80  # columns, where there is no terminal

Shown_contra = TypeVar("Shown_contra", contravariant=True)


class Renderer(Protocol[Shown_contra]):
    """A module with one function."""

    def render(self, shown: Shown_contra, /, *, width: int, color: bool) -> str:
        """The whole text, with a newline at its end."""


def names(path: Iterable[str]) -> list[str]:
    """Names of the formats in a package, whose `__path__` is given."""
    return sorted(module.name for module in iter_modules(path) if not module.ispkg)


def named(package: str, name: str) -> Renderer[Shown_contra]:
    """The renderer for a format."""
    return import_module(f"{package}.{name}")
