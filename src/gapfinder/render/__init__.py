"""Renderers: each module shows a diagnosis in one format, and is found by its name.

Those of a comparison and of a what-if are in `render.comparison` and `render.whatif`, found in the same way.
"""

from gapfinder.diagnosis.model import Diagnosis
from gapfinder.formats import Renderer, named, names


def formats() -> list[str]:
    """Names of the output formats."""
    return names(__path__)


def renderer(name: str) -> Renderer[Diagnosis]:
    """The renderer for a format."""
    return named(__name__, name)
