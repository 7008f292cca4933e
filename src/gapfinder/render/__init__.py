"""Renderers: the module `render/<kind>/<format>.py` renders results of one kind in one format, and is found by its name."""

from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from gapfinder.comparison.comparison import Comparison
from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.diagnosis.job import Job
from gapfinder.display import register_renderer
from gapfinder.errors import UsageError
from gapfinder.whatif.whatif import WhatIf

if TYPE_CHECKING:
    import altair as alt
    import polars as pl

FOLDER = Path(__file__).parent
KINDS = {Diagnosis: "diagnosis", Job: "job", Comparison: "comparison", WhatIf: "whatif"}
FALLBACK = {"gaps": "rows"}  # gaps are rows; a format that `gaps` lacks is taken from `rows`


class Renderer(Protocol):
    """A renderer is a module with this function. `display.TextRenderer` adds one for notebooks."""

    def render(self, result: Any, /, *, width: int, color: bool) -> str:
        """The result as text of at most `width` columns, with a newline at its end."""


class RowsRenderer(Protocol):
    """A renderer of rows is a module with this function.

    `TEXT` says whether its output is text, `COUNTED` whether the number of rows is told below it in a terminal, `WHOLE` whether
    it has all of them.
    """

    TEXT: bool
    COUNTED: bool
    WHOLE: bool

    def write(self, frames: "Iterable[pl.DataFrame]", file: BinaryIO, /, *, width: int | None, color: bool) -> None:
        """Write the rows, of which `frames` are one part after the other. `width` is that of the terminal; None without one."""


def formats(*kinds: str) -> list[str]:
    """The names of the formats that all of these kinds of results have."""
    return sorted(set.intersection(*(_formats_of(kind) for kind in kinds)))


def renderer(kind: str, format_: str) -> Renderer:
    """The renderer for a kind of result in a format."""
    return import_module(f"{__name__}.{kind}.{format_}")


def rows_renderer(kind: str, format_: str) -> RowsRenderer:
    """The renderer for rows or gaps in a format."""
    own = format_ in {module.name for module in iter_modules([str(FOLDER / kind)])}
    module: RowsRenderer = import_module(f"{__name__}.{kind if own else FALLBACK[kind]}.{format_}")
    return module


def _formats_of(kind: str) -> set[str]:
    folders = [str(FOLDER / folder) for folder in (kind, FALLBACK.get(kind, kind))]
    return {module.name for module in iter_modules(folders)}


def _chart(kind: str) -> Callable[[Any], "alt.Chart"]:
    """The function that draws results of a kind. Raises UsageError where there is no Altair."""
    if not find_spec("altair"):
        raise UsageError("charts need Altair: pip install altair")
    chart: Callable[[Any], alt.Chart] = getattr(import_module(f"{__name__}.charts"), kind)
    return chart


for _kind, _name in KINDS.items():
    register_renderer(_kind, partial(import_module, f"{__name__}.{_name}.text"), partial(_chart, _name))
