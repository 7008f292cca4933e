"""Runs the layers of `sql/`: each folder reads only itself and the ones before it."""

import re
from graphlib import TopologicalSorter
from pathlib import Path

import duckdb

from gapfinder import shipped

_CREATED = re.compile(r"^CREATE (?:TABLE|VIEW|MACRO|TYPE|SCHEMA) \"?([\w.]+)", re.MULTILINE)
# Remarks and aliases; and whatever follows a dot belongs to a relation that was named before, unless the schema is named.
_NO_MENTION = re.compile(r"--.*|\bAS \w+|(?<!\blayers)\.\w+")
SCHEMA = "layers"  # of all but the last layers, whose views are in `main`, under the same names but with every id resolved
FIRST_NAMED = "7_named"  # this layer and those after it are made when they are asked for: a diagnosis reads none of them


def folder() -> Path:
    """Where the layers are."""
    return shipped.folder("sql")


def names() -> list[str]:
    """The layers in the order in which the data flows: `0_export`, `1_source` and so on."""
    return sorted(path.name for path in folder().glob("[0-9]_*"))


def computed() -> list[str]:
    """The layers that are computed of every export."""
    return [layer for layer in names()[1:] if layer < FIRST_NAMED]


def meaning(layer: str) -> str:
    """What a layer holds, in one sentence, as its folder's README says."""
    return (folder() / layer / "README.md").read_text().strip()


def created(file: Path) -> list[str]:
    """Names of the relations, macros and types that a file creates."""
    return _CREATED.findall(file.read_text())


def definitions(file: Path) -> str:
    """The text of a file without the comments that close it."""
    return file.read_text().partition("\nCOMMENT ON")[0]


def mentions(file: Path) -> set[str]:
    """Every word of a file that could name a relation, a macro or a type."""
    return set(re.findall(r"\w+", _NO_MENTION.sub("", definitions(file))))


def files(layer: str) -> list[Path]:
    """The files of a layer, each after those whose relations it mentions."""
    paths = sorted((folder() / layer).glob("*.sql"))
    home = {name: path for path in paths for name in created(path)}
    graph = {path: sorted({home[word] for word in mentions(path) if word in home} - {path}) for path in paths}
    return list(TopologicalSorter(graph).static_order())


def run(connection: duckdb.DuckDBPyConnection, layer: str, *, comments: bool = False) -> None:
    """Create everything that a layer defines. Comments, which close each file, only where a catalogue needs them."""
    for file in files(layer):
        connection.execute(file.read_text() if comments else definitions(file))


def run_named(connection: duckdb.DuckDBPyConnection, *, comments: bool = False) -> None:
    """Create the layers that nothing else is computed from, which resolve ids to names."""
    for layer in names():
        if layer >= FIRST_NAMED:
            run(connection, layer, comments=comments)
