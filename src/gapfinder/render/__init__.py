"""Renderers: the module `render/<what>/<format>.py` shows results of one kind in one format, and is found by its name."""

from functools import partial
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Protocol

from gapfinder.comparison.comparison import Comparison
from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.diagnosis.job import Job
from gapfinder.display import register_renderer
from gapfinder.whatif.whatif import WhatIf

if TYPE_CHECKING:
    import polars as pl

FOLDER = Path(__file__).parent
KINDS = {Diagnosis: "diagnosis", Job: "job", Comparison: "comparison", WhatIf: "whatif"}
ALSO = {"gaps": "rows"}  # gaps are rows, with a table of their own


class Renderer(Protocol):
    """A module with one function; the one for text has `html` for notebooks too, where its results are shown there."""

    def render(self, shown: Any, /, *, width: int, color: bool) -> str:
        """The whole text, with a newline at its end."""


class RowsRenderer(Protocol):
    """A module with one function, and whether what it makes is text."""

    TEXT: bool

    def render(self, frame: "pl.DataFrame", /, *, width: int | None, color: bool) -> bytes:
        """All of it; `width` is that of the terminal, None where there is none."""


def formats(*kinds: str) -> list[str]:
    """Names of the formats that results of all these kinds can be shown in: what a command offers that shows any of them."""
    return sorted(set.intersection(*(_named(kind) for kind in kinds)))


def renderer(kind: str, format_: str) -> Renderer:
    """What shows results of a kind in a format."""
    return import_module(f"{__name__}.{kind}.{format_}")


def rows_renderer(kind: str, format_: str) -> RowsRenderer:
    """What shows rows, or gaps, in a format."""
    own = format_ in {module.name for module in iter_modules([str(FOLDER / kind)])}
    found: RowsRenderer = import_module(f"{__name__}.{kind if own else ALSO[kind]}.{format_}")
    return found


def _named(kind: str) -> set[str]:
    folders = [str(FOLDER / folder) for folder in (kind, ALSO.get(kind, kind))]
    return {module.name for module in iter_modules(folders)}


for _kind, _name in KINDS.items():
    register_renderer(_kind, partial(import_module, f"{__name__}.{_name}.text"))
