"""What there is to query: the relations of `sql/` with their columns, as the comments in their files document them."""

from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

import duckdb

from gapfinder import causes, claims, layers
from gapfinder.errors import UsageError

FLEET = "fleet"  # the folder in sql/ of the views of a fleet's ledger


@dataclass(frozen=True)
class Column:
    """A column, and what its comment says of it, unit included."""

    name: str
    type: str
    meaning: str


@dataclass(frozen=True)
class Relation:
    """A view or table of a layer, what a row of it is, and its columns in order.

    One in the schema `main` has names; `hides` where the schema `layers` has one of the same name, with ids.
    """

    name: str
    layer: str
    schema: str
    hides: bool
    meaning: str
    columns: tuple[Column, ...]


@cache
def catalogue() -> dict[str, Relation]:
    """Every relation by its name, in the order of the layers. Where names resolve ids, the relation of the last layer."""
    connection = duckdb.connect()
    connection.execute(f"CREATE SCHEMA {layers.SCHEMA}; SET schema = '{layers.SCHEMA}'")
    for layer in layers.names():
        if layer == causes.LAYER:
            claims.define(connection, {}, comments=True)
        else:
            layers.run(connection, layer, comments=True)
    found = described(connection, places())
    connection.close()
    return found


def described(connection: duckdb.DuckDBPyConnection, where_made: dict[str, list[tuple[str, str]]]) -> dict[str, Relation]:
    """The relations of a database that has the view `catalogue` and comments; `where_made` as of `places`."""
    rows = connection.execute("SELECT * FROM main.catalogue").fetchall()
    found: dict[str, Relation] = {}
    for name, where in where_made.items():
        of_it = [row for row in rows if row[0] == name]
        if of_it:
            layer, schema = where[-1]
            columns = tuple(Column(column, kind, meaning) for _, _, column, kind, meaning, _ in of_it)
            found[name] = Relation(name, layer, schema, len(where) > 1, of_it[0][1], columns)
    return found


def relation(name: str, found: dict[str, Relation]) -> Relation:
    """The relation of that name. Raises UsageError where there is none."""
    plain = name.removeprefix("main.").lower()
    if plain not in found:
        close = get_close_matches(plain, found)
        like = f": did you mean {' or '.join(close)}?" if close else ": `gapfinder views` lists them"
        raise UsageError(f"there is no view {name!r}{like}")
    return found[plain]


def places() -> dict[str, list[tuple[str, str]]]:
    """The layers and schemas of each relation, in the order of the last layer that has it."""
    found: dict[str, list[tuple[str, str]]] = {}
    for layer in layers.names()[1:]:
        for file in sorted(layers.files(layer)):
            for created in layers.created(file):
                name = created.removeprefix("main.")
                schema = layers.SCHEMA if name == created else "main"
                found[name] = [*found.pop(name, []), (layer, schema)]
    return found
