"""One JSON object, for programs. The keys are a contract: more may come, none goes."""

import json
from dataclasses import asdict

from gapfinder.comparison.comparison import SCHEMA, Comparison


def render(comparison: Comparison, *, width: int, color: bool) -> str:  # noqa: ARG001  the same for every renderer
    """The comparison as JSON."""
    document = {"schema": SCHEMA, "headline": comparison.last.headline, **asdict(comparison)}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
