"""The documentation of views as JSON: an array of relations with their columns."""

from dataclasses import asdict

from gapfinder.pipeline.catalogue import RelationDoc
from gapfinder.units import as_json


def render(relations: list[RelationDoc], *, width: int, color: bool) -> str:  # noqa: ARG001  part of the protocol
    """The relations, with the fields of `catalogue.RelationDoc` and `catalogue.ColumnDoc`."""
    return as_json([asdict(relation) for relation in relations], indent=2)
