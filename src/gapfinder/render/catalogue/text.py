"""What there is to query, for a terminal."""

from collections.abc import Iterable
from itertools import groupby

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from gapfinder.pipeline.catalogue import RelationDoc, meaning
from gapfinder.render.terminal import shown

NAME_WIDTH = 20
WORDS = "What the words mean: gapfinder views glossary"


def render(relations: list[RelationDoc], *, width: int, color: bool) -> str:
    """The relations by layer, each with its columns; where it is not one alone, then where their words are explained."""
    parts: list[RenderableType] = []
    for layer, group in groupby(relations, key=lambda found: found.layer):
        parts += [Text(f"{layer}: {meaning(layer)}", style="bold"), ""]
        for relation in group:
            parts += [*_parts(relation), ""]
    parts = [*parts, WORDS] if len(relations) > 1 else parts[:-1]
    return shown(parts, width=width, color=color)


def page_of(relation: RelationDoc, *, width: int) -> str:
    """One relation with its columns."""
    return shown(_parts(relation), width=width, color=False)


def list_of(relations: Iterable[RelationDoc], *, width: int) -> str:
    """The names, and what a row of each is."""
    table = _table()
    for relation in relations:
        table.add_row(relation.name, relation.meaning)
    return shown([table], width=width, color=False)


def _parts(relation: RelationDoc) -> list[RenderableType]:
    table = _table(3)
    for column in relation.columns:
        table.add_row(Text(column.name), Text(column.type, style="dim"), Text(column.meaning))
    return [Text.assemble((relation.name, "bold"), f": {relation.meaning}"), Padding(table, (0, 0, 0, 2))]


def _table(columns: int = 2) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    for place in range(columns):
        table.add_column(min_width=NAME_WIDTH if place == 0 else None, no_wrap=place == 0, overflow="fold")
    return table
