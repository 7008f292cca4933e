"""The glossary as JSON."""

from gapfinder.units import as_json


def render(words: dict[str, str], *, width: int, color: bool) -> str:  # noqa: ARG001  part of the protocol
    """A JSON object with the meaning of each word."""
    return as_json(words, indent=2)
