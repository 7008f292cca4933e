"""JSON: an array of relations, each with its columns."""

import json
from dataclasses import asdict

from gapfinder.pipeline.catalogue import RelationDoc


def render(relations: list[RelationDoc], *, width: int, color: bool) -> str:  # noqa: ARG001  the renderers' signature
    """The fields of `catalogue.RelationDoc` and `catalogue.Column`."""
    return json.dumps([asdict(found) for found in relations], indent=2, ensure_ascii=False) + "\n"
