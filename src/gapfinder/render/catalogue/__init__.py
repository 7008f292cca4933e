"""Renderers of what there is to query: each module shows relations in one format, and is found by its name."""

from typing import TYPE_CHECKING

from gapfinder.formats import Renderer, named, names

if TYPE_CHECKING:
    from gapfinder.pipeline.catalogue import RelationDoc


def formats() -> list[str]:
    """Names of the output formats."""
    return names(__path__)


def renderer(name: str) -> "Renderer[list[RelationDoc]]":
    """The renderer for a format."""
    return named(__name__, name)
