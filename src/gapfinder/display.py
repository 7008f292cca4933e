"""How a result is displayed in Python: str() gives the text of its command, and a notebook shows it as HTML."""

from collections.abc import Callable
from typing import Any, Protocol

PLAIN_WIDTH = 80  # columns, where there is no terminal


class TextRenderer(Protocol):
    """A module that renders one kind of result as text and as HTML."""

    def render(self, result: Any, /, *, width: int, color: bool) -> str:
        """The result as text of at most `width` columns, with a newline at its end."""

    def html(self, result: Any, /) -> str:
        """The same as an element of HTML."""


_RENDERERS: dict[type, Callable[[], TextRenderer]] = {}


def register_renderer(kind: type, renderer: Callable[[], TextRenderer]) -> None:
    """Register the renderer of a class of results. `renderer` is called when a result is first displayed."""
    _RENDERERS[kind] = renderer


class Displayable:
    """A result that has a text renderer. `gapfinder.render` registers it."""

    def __str__(self) -> str:
        return _RENDERERS[type(self)]().render(self, width=PLAIN_WIDTH, color=False).rstrip("\n")

    def _repr_html_(self) -> str:
        """HTML for a notebook: no script, no request, readable in light and dark themes, every name escaped."""
        return _RENDERERS[type(self)]().html(self)
