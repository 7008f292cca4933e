"""The comparison as one JSON object, for programs. Keys may be added, but not removed."""

import json
from dataclasses import asdict

from gapfinder.comparison.comparison import SCHEMA, Comparison


def render(comparison: Comparison, *, width: int, color: bool) -> str:  # noqa: ARG001  part of the protocol
    """The comparison as JSON."""
    document = {"schema": SCHEMA, "headline": comparison.last.headline, **asdict(comparison)}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
