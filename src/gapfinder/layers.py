"""Runs the layers of `sql/`: each folder reads only itself and the ones before it."""

import re
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from graphlib import TopologicalSorter
from pathlib import Path

import duckdb

from gapfinder import shipped
from gapfinder.interrupting import interrupting
from gapfinder.turns import Turns

_CREATED = re.compile(r"^CREATE (?:TABLE|VIEW|MACRO|TYPE|SCHEMA) \"?([\w.]+)", re.MULTILINE)
# Remarks and aliases; and whatever follows a dot belongs to a relation that was named before, unless the schema is named.
_NO_MENTION = re.compile(r"--.*|\bAS \w+|(?<!\blayers)\.\w+")
# None of `export`, which conversions keep as they are: DuckDB 1.4 cannot read a view that was never planned.
_VIEW = re.compile(r"^CREATE VIEW \"?\w+\"?(?= AS)", re.MULTILINE)
_PARSED: dict[tuple[Path, bool], list[duckdb.Statement]] = {}
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


@cache
def mentioned(layer: str) -> dict[Path, list[Path]]:
    """The files of a layer, each with the others whose relations it mentions."""
    paths = sorted((folder() / layer).glob("*.sql"))
    home = {name: path for path in paths for name in created(path)}
    return {path: sorted({home[word] for word in mentions(path) if word in home} - {path}) for path in paths}


def files(layer: str) -> list[Path]:
    """The files of a layer, each after those whose relations it mentions."""
    return list(TopologicalSorter(mentioned(layer)).static_order())


def statements(connection: duckdb.DuckDBPyConnection, file: Path, *, comments: bool = False) -> list[duckdb.Statement]:
    """What a file says, parsed once for all traces: that is a tenth of the time that a small one takes.

    Without comments, views are planned where they are asked for, and not where they are created: that is another tenth. It is a
    connection that parses, since without one DuckDB makes a database for it, in 30 ms.
    """
    if (file, comments) not in _PARSED:
        text = file.read_text() if comments else _VIEW.sub(r"\g<0> WITH (DEFER_BINDING)", definitions(file))
        _PARSED[file, comments] = connection.extract_statements(text)
    return _PARSED[file, comments]


def run(connection: duckdb.DuckDBPyConnection, layer: str, *, comments: bool = False) -> None:
    """Create everything that a layer defines. Comments, which close each file, only where a catalogue needs them."""
    for file in files(layer):
        _create(connection, file, comments=comments)


def run_together(connection: duckdb.DuckDBPyConnection, layer: str, *, comments: bool = False) -> None:
    """As `run`, two files at a time, on cursors that have the schema of the connection and none of its variables.

    Planning takes one core, and most of the time for a small trace.

    This thread leads: it makes the large tables, which most others wait for, and uses the memory again that it gave back. What
    another thread gave back it would not. Of a million kernels that spares 30 MB of 510.
    """
    (schema,) = connection.execute("SELECT current_schema()").fetchall()[0]
    cursors = [connection.cursor().execute(f"SET schema = '{schema}'") for _ in range(2)]
    mine, other = (partial(_create, cursor, comments=comments) for cursor in cursors)
    turns = Turns(mentioned(layer))
    with ThreadPoolExecutor(1) as pool, interrupting(pool, [turns, *cursors]):
        helping = pool.submit(turns.help, other)
        turns.lead(mine)
        helping.result()


def _create(connection: duckdb.DuckDBPyConnection, file: Path, *, comments: bool) -> None:
    for statement in statements(connection, file, comments=comments):
        connection.execute(statement)


def run_named(connection: duckdb.DuckDBPyConnection, *, comments: bool = False) -> None:
    """Create the layers that nothing else is computed from, which resolve ids to names."""
    for layer in names():
        if layer >= FIRST_NAMED:
            run_together(connection, layer, comments=comments)
