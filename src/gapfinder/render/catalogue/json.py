"""JSON: an array of relations, each with its columns."""

import json
from dataclasses import asdict

from gapfinder.catalogue import Relation


def render(relations: list[Relation], *, width: int, color: bool) -> str:  # noqa: ARG001  the renderers' signature
    """The fields of `catalogue.Relation` and `catalogue.Column`."""
    return json.dumps([asdict(found) for found in relations], indent=2, ensure_ascii=False) + "\n"
