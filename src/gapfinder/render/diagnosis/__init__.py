"""Renderers: each module shows a diagnosis in one format, and is found by its name."""

from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.formats import Renderer, named, names


def formats() -> list[str]:
    """Names of the output formats."""
    return names(__path__)


def renderer(name: str) -> Renderer[Diagnosis]:
    """The renderer for a format."""
    return named(__name__, name)
