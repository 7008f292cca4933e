"""Documents columns without a comment: by `sql/columns.toml`, which says once what a name means, or by where they are from."""

import tomllib
from collections.abc import Mapping
from functools import cache
from graphlib import TopologicalSorter

import duckdb

from gapfinder.pipeline.relations import Relation, closure, folder
from gapfinder.pipeline.stated import literal

COLUMNS = "SELECT schema_name, table_name, column_name, comment FROM duckdb_columns() WHERE NOT internal"


@cache
def usual_meanings() -> dict[str, str]:
    """What a column of a name holds in every relation that does not say otherwise."""
    return tomllib.loads((folder() / "columns.toml").read_text(encoding="utf-8"))


def document_columns(connection: duckdb.DuckDBPyConnection, relations: Mapping[str, Relation], schema: str) -> None:
    """Give each column without a comment its meaning, if there is one.

    A view with names has the columns of the relation that it hides. Others mean what columns of their name usually do, or else
    what the column does in the relations that theirs is made from, if these agree. `schema` is that of names without one.
    """
    meanings: dict[str, dict[str, str | None]] = {}
    for of_schema, table, column, comment in connection.execute(COLUMNS).fetchall():
        meanings.setdefault(table if of_schema == schema else f"{of_schema}.{table}", {})[column] = comment
    found = []
    for name in [*(meanings.keys() - relations.keys()), *TopologicalSorter(closure(relations, relations)).static_order()]:
        reads = relations[name].reads if name in relations else ()
        sources = [meanings[read] for read in reads if read in meanings]
        hidden = meanings.get(name.removeprefix("main."), {})
        for column, comment in meanings.get(name, {}).items():
            read = {source[column] for source in sources if source.get(column)}
            meaning = hidden.get(column) or usual_meanings().get(column) or (read.pop() if len(read) == 1 else None)
            if comment is None and meaning is not None:
                meanings[name][column] = meaning
                of_schema, _, table = name.rpartition(".")
                found.append(f'COMMENT ON COLUMN {of_schema or schema}."{table}"."{column}" IS {literal(meaning)};')
    connection.execute("".join(found))
