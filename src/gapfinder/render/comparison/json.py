"""The comparison as one JSON object, for programs. Keys may be added, but not removed."""

from dataclasses import asdict

from gapfinder.comparison.comparison import SCHEMA, Comparison
from gapfinder.units import as_json


def render(comparison: Comparison, *, width: int, color: bool) -> str:  # noqa: ARG001  part of the protocol
    """The comparison as JSON."""
    document = {"schema": SCHEMA, "headline": comparison.last.headline, **asdict(comparison)}
    return as_json(document, indent=1)
