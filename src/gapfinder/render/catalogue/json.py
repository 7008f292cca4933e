"""The documentation of views as JSON: an array of relations with their columns."""

import json
from dataclasses import asdict

from gapfinder.pipeline.catalogue import RelationDoc


def render(relations: list[RelationDoc], *, width: int, color: bool) -> str:  # noqa: ARG001  part of the protocol
    """The relations, with the fields of `catalogue.RelationDoc` and `catalogue.ColumnDoc`."""
    return json.dumps([asdict(relation) for relation in relations], indent=2, ensure_ascii=False) + "\n"
