"""The documentation of views for a terminal."""

from collections.abc import Iterable
from itertools import groupby

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from gapfinder.pipeline.catalogue import RelationDoc, meaning
from gapfinder.render.terminal import to_text

NAME_WIDTH = 20
GLOSSARY_HINT = "To see what the words mean: gapfinder views glossary"


def render(relations: list[RelationDoc], *, width: int, color: bool) -> str:
    """The relations by layer, each with its columns. Several end with a hint at the glossary."""
    parts: list[RenderableType] = []
    for layer, group in groupby(relations, key=lambda relation: relation.layer):
        parts += [Text(f"{layer}: {meaning(layer)}", style="bold"), ""]
        for relation in group:
            parts += [*_parts(relation), ""]
    parts = [*parts, GLOSSARY_HINT] if len(relations) > 1 else parts[:-1]
    return to_text(parts, width=width, color=color)


def relation_page(relation: RelationDoc, *, width: int) -> str:
    """One relation with its columns."""
    return to_text(_parts(relation), width=width, color=False)


def relation_list(relations: Iterable[RelationDoc], *, width: int) -> str:
    """The names of relations, and what one row of each is."""
    table = _table()
    for relation in relations:
        table.add_row(relation.name, relation.meaning)
    return to_text([table], width=width, color=False)


def _parts(relation: RelationDoc) -> list[RenderableType]:
    table = _table(3)
    for column in relation.columns:
        table.add_row(Text(column.name), Text(column.type, style="dim"), Text(column.meaning))
    return [Text.assemble((relation.name, "bold"), f": {relation.meaning}"), Padding(table, (0, 0, 0, 2))]


def _table(columns: int = 2) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    for column in range(columns):
        table.add_column(min_width=NAME_WIDTH if column == 0 else None, no_wrap=column == 0, overflow="fold")
    return table
