"""What there is to query: the relations of `sql/` with their columns, as the comments in their files document them."""

from dataclasses import dataclass
from functools import cache

import duckdb

from gapfinder import causes, layers


@dataclass(frozen=True)
class Column:
    """A column, and what its comment says of it, unit included."""

    name: str
    type: str
    meaning: str


@dataclass(frozen=True)
class Relation:
    """A view or table of a layer, what a row of it is, and its columns in order."""

    name: str
    layer: str
    meaning: str
    columns: tuple[Column, ...]


@cache
def catalogue() -> dict[str, Relation]:
    """Every relation by its name, in the order of the layers. Where names resolve ids, the relation of the last layer."""
    connection = duckdb.connect()
    connection.execute(f"CREATE SCHEMA {layers.SCHEMA}; SET schema = '{layers.SCHEMA}'")
    for layer in layers.names():
        if layer == causes.LAYER:
            causes.define(connection, (), comments=True)
        else:
            layers.run(connection, layer, comments=True)
    rows = connection.execute("SELECT * FROM main.catalogue").fetchall()
    connection.close()
    found: dict[str, Relation] = {}
    for name, layer in _places().items():
        of_it = [row for row in rows if row[0] == name]
        if of_it:
            columns = tuple(Column(column, kind, meaning) for _, _, column, kind, meaning, _ in of_it)
            found[name] = Relation(name, layer, of_it[0][1], columns)
    return found


def _places() -> dict[str, str]:
    """The layer of each relation; of one that is in two, the last."""
    places: dict[str, str] = {}
    for layer in layers.names()[1:]:
        for file in sorted(layers.files(layer)):
            for name in layers.created(file):
                places.pop(name.removeprefix("main."), None)
                places[name.removeprefix("main.")] = layer
    return places
