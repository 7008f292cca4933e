"""Renderers: each module shows a what-if in one format, and is found by its name."""

from gapfinder.formats import Renderer, named, names
from gapfinder.whatif.whatif import WhatIf


def formats() -> list[str]:
    """Names of the output formats."""
    return names(__path__)


def renderer(name: str) -> Renderer[WhatIf]:
    """The renderer for a format."""
    return named(__name__, name)
