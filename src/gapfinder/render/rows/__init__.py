"""Renderers of the rows of a query: each module shows a polars frame in one format, and is found by its name."""

from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from gapfinder.formats import names

if TYPE_CHECKING:
    import polars as pl


class RowsRenderer(Protocol):
    """A module with one function, and whether what it makes is text."""

    TEXT: bool

    def render(self, frame: "pl.DataFrame", /, *, width: int | None, color: bool) -> bytes:
        """All of it; `width` is that of the terminal, None where there is none."""


def formats() -> list[str]:
    """Names of the output formats."""
    return names(__path__)


def renderer(name: str) -> RowsRenderer:
    """The renderer for a format."""
    return import_module(f"{__name__}.{name}")
