"""Documents the columns that mean the same in most relations: `sql/columns.toml` says once what."""

import tomllib
from functools import cache

import duckdb

from gapfinder.pipeline.relations import folder
from gapfinder.pipeline.stated import literal

# a column of `main` without a comment means what the column of the relation that it hides means
UNDOCUMENTED = """
SELECT format('"{}"."{}"."{}"', schema_name, table_name, column_name), column_name
FROM duckdb_columns()
WHERE comment IS NULL AND NOT internal AND list_contains($1, column_name)
    AND (schema_name, table_name, column_name) NOT IN (
        SELECT 'main', table_name, column_name FROM duckdb_columns() WHERE schema_name = 'trace'
    )
"""


@cache
def usual_meanings() -> dict[str, str]:
    """What a column of a name holds in every relation that does not say otherwise."""
    return tomllib.loads((folder() / "columns.toml").read_text(encoding="utf-8"))


def document_usual_columns(connection: duckdb.DuckDBPyConnection) -> None:
    """Give each column without a comment the usual one of its name, if there is one."""
    meanings = usual_meanings()
    found = connection.execute(UNDOCUMENTED, [list(meanings)]).fetchall()
    connection.execute("".join(f"COMMENT ON COLUMN {column} IS {literal(meanings[name])};" for column, name in found))
