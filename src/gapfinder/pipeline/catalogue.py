"""What there is to query: the relations of `sql/` with their columns, as the comments in their files document them."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import duckdb

from gapfinder.errors import UsageError, did_you_mean
from gapfinder.ingest.nsys.load import declaration
from gapfinder.options import Options
from gapfinder.pipeline import relations
from gapfinder.pipeline.config import read_config
from gapfinder.pipeline.database import defined
from gapfinder.pipeline.relations import Relation
from gapfinder.pipeline.runner import Runner

START = "70_names"  # the layer of the views that an analyst asks first
FLEET = "fleet"  # the layer of the views of a fleet


@dataclass(frozen=True)
class ColumnDoc:
    """A column, with its type and the comment on it, which names its unit."""

    name: str
    type: str
    meaning: str


@dataclass(frozen=True)
class RelationDoc:
    """A view or table of a layer: what one row of it is, and its columns in order.

    `hides` is true for a view of the schema `main` if the schema `trace` has a relation of the same name.
    """

    name: str
    layer: str
    schema: str
    hides: bool
    meaning: str
    columns: tuple[ColumnDoc, ...]


def meaning(layer: str) -> str:
    """What a layer holds, in one sentence, as its folder's README says."""
    (file,) = relations.folder().rglob(f"{layer}/README.md")
    return file.read_text(encoding="utf-8").strip()


@cache
def _layer(folder: str) -> str:
    """The layer of a folder of SQL: the folder itself, or `10_source` for the folder of a source."""
    around = {file.parent.parent.name for file in relations.folder().rglob(f"{folder}/*.sql")}
    return next((name for name in around if name[:1].isdigit()), folder)


@cache
def catalogue() -> dict[str, RelationDoc]:
    """Every relation of a trace by its name, as `described` orders them. Of two with one name, the one in the schema `main`."""
    connection = duckdb.connect()
    connection.execute(declaration())
    runner = Runner(connection, defined(read_config(users=False), Options(), ()), comments=True)
    runner.make_all()
    found = described(connection, runner.relations.values())
    connection.close()
    return found


def described(connection: duckdb.DuckDBPyConnection, made: Iterable[Relation]) -> dict[str, RelationDoc]:
    """The documentation of these relations, read from a database that has them, their comments and the view `catalogue`.

    The layer to start from comes first, and in it the views of `main`; the others follow in their order.
    """
    rows = connection.execute("SELECT * FROM main.catalogue").fetchall()
    folders = {relation.name: _layer(relation.folder) for relation in made}
    found: dict[str, RelationDoc] = {}
    for name, folder in sorted(folders.items(), key=_place):
        plain = name.removeprefix("main.")
        of_it = [row for row in rows if row[0] == plain]
        if of_it and (name != plain or f"main.{plain}" not in folders):
            columns = tuple(ColumnDoc(column, kind, meaning) for _, _, column, kind, meaning, _ in of_it)
            schema = "trace" if name == plain else "main"
            found[plain] = RelationDoc(plain, folder, schema, name != plain and plain in folders, of_it[0][1], columns)
    return found


def _place(entry: tuple[str, str]) -> tuple[bool, str, bool, str]:
    name, layer = entry
    return layer != START, layer, not name.startswith("main."), name


def documentation_of(name: str, found: dict[str, RelationDoc]) -> RelationDoc:
    """The documentation of one relation. Raises UsageError if there is none of that name."""
    plain = name.lower().removeprefix("main.").removeprefix("trace.")
    if plain not in found:
        raise UsageError(f"there is no view {name!r}{did_you_mean(plain, found) or ': without a name, all are listed'}")
    return found[plain]
