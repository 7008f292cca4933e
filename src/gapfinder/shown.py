"""How results show themselves in Python: printed as their command prints them, and in a notebook with colours."""

from collections.abc import Callable
from typing import Any, Protocol

PLAIN_WIDTH = 80  # columns, where there is no terminal


class TextRenderer(Protocol):
    """A module that shows one kind of result."""

    def render(self, shown: Any, /, *, width: int, color: bool) -> str:
        """The result as text of at most `width` columns, with a newline at its end."""

    def html(self, shown: Any, /) -> str:
        """The same as an element of HTML."""


_RENDERERS: dict[type, Callable[[], TextRenderer]] = {}


def show_by(kind: type, renderer: Callable[[], TextRenderer]) -> None:
    """Register what shows results of a class. `renderer` is called when the first of them is shown."""
    _RENDERERS[kind] = renderer


class Shown:
    """A result that has a text renderer. `gapfinder.render` registers it."""

    def __str__(self) -> str:
        return _RENDERERS[type(self)]().render(self, width=PLAIN_WIDTH, color=False).rstrip("\n")

    def _repr_html_(self) -> str:
        """What a notebook shows: HTML without a script or a request, for light and dark, with every name escaped."""
        return _RENDERERS[type(self)]().html(self)
