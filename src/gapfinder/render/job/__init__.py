"""Renderers: each module shows the diagnosis of a job in one format, and is found by its name."""

from gapfinder.diagnosis.job import Job
from gapfinder.formats import Renderer, named, names


def formats() -> list[str]:
    """Names of the output formats."""
    return names(__path__)


def renderer(name: str) -> Renderer[Job]:
    """The renderer for a format."""
    return named(__name__, name)
