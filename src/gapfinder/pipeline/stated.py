"""Makes tables from values of Python: the facts of the causes, the options, the names of a trace's tables."""

from collections.abc import Iterable, Mapping, Sequence

from gapfinder.pipeline.relations import Relation


def table(
    name: str, layer: str, meaning: str, columns: Mapping[str, tuple[str, str]], rows: Sequence[Iterable[object]]
) -> Relation:
    """The SQL for a table of these rows. `columns` has the SQL type and the meaning of each column."""
    listed = ", ".join(f"({', '.join(map(literal, row))})" for row in rows or [[None] * len(columns)])
    where = "" if rows else " WHERE false"
    sql = f"CREATE TABLE {name} AS\nSELECT {casts(columns)} FROM (VALUES {listed}) AS stated ({', '.join(columns)}){where}"
    return Relation(name, layer, frozenset(), sql, comments("TABLE", name, meaning, columns))


def casts(columns: Mapping[str, tuple[str, str]]) -> str:
    """The columns, each cast to its type."""
    return ", ".join(f"CAST({column} AS {kind}) AS {column}" for column, (kind, _) in columns.items())


def comments(kind: str, name: str, meaning: str, columns: Mapping[str, tuple[str, str]]) -> str:
    """The SQL that documents a TABLE or a VIEW and its columns."""
    own = f"COMMENT ON {kind} {name} IS {literal(meaning)};"
    return "\n".join(
        [own, *(f"COMMENT ON COLUMN {name}.{column} IS {literal(meant)};" for column, (_, meant) in columns.items())]
    )


def literal(value: object) -> str:
    """A string, number, bool or None as an SQL literal."""
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return "NULL" if value is None else str(value)
