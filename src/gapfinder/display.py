"""How results are displayed: their tables, and in Python str() and HTML for a notebook."""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self, TypeVar

if TYPE_CHECKING:
    import altair as alt

Registered = TypeVar("Registered")
PLAIN_WIDTH = 80  # columns, where there is no terminal
MAX_WIDTH = 100  # columns; longer lines read badly


class Table(NamedTuple):
    """A table that all formats show: names in its first column, numbers in the others."""

    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


class TextRenderer(Protocol):
    """A module that renders one kind of result as text and as HTML."""

    def render(self, result: Any, /, *, width: int, color: bool) -> str:
        """The result as text of at most `width` columns, with a newline at its end."""

    def html(self, result: Any, /) -> str:
        """The same as an element of HTML."""


_RENDERERS: dict[type, Callable[[], TextRenderer]] = {}
_CHARTS: dict[type, Callable[[], Callable[[Any], "alt.Chart"]]] = {}


def register_renderer(
    kind: type, renderer: Callable[[], TextRenderer], chart: Callable[[], Callable[[Any], "alt.Chart"]]
) -> None:
    """Register the renderer of a class of results, and its chart. Both are called when a result is first displayed."""
    _RENDERERS[kind] = renderer
    _CHARTS[kind] = chart


def _registered(kind: type, registry: dict[type, Callable[[], Registered]]) -> Registered:
    """What is registered for a class. A result that was unpickled comes without the renderers."""
    if kind not in registry:
        import_module("gapfinder.render")
    return registry[kind]()


class Displayable:
    """A result that has a text renderer. `gapfinder.render` registers it."""

    _charts: Callable[[], str] | None = None

    def with_charts(self, charts: Callable[[], str]) -> Self:
        """The result itself, below whose text a notebook shows what `charts` makes: HTML of the same kind as `_repr_html_`."""
        object.__setattr__(self, "_charts", charts)
        return self

    def __getstate__(self) -> dict[str, Any]:
        """All but the charts, which belong to files of this machine."""
        return {name: value for name, value in vars(self).items() if name != "_charts"}

    def __str__(self) -> str:
        return _registered(type(self), _RENDERERS).render(self, width=PLAIN_WIDTH, color=False).rstrip("\n")

    def _repr_html_(self) -> str:
        """HTML for a notebook: no request, readable in light and dark themes, every name escaped; scripts only in a frame."""
        return _registered(type(self), _RENDERERS).html(self) + (self._charts() if self._charts else "")

    def plot(self) -> "alt.Chart":
        """The result as a chart of Altair, to show or to change further. Raises UsageError where there is no Altair."""
        return _registered(type(self), _CHARTS)(self)
