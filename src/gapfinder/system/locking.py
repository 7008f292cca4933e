"""Locks a database: neither a query nor a cause of the user may read a file, the network or a variable of the program."""

import duckdb

NO_VARIABLES = "python_enable_replacements = false"
# The first setting cannot be taken back. The last one hides the user's name, which is part of a path.
LOCKED = ("enable_external_access = false", NO_VARIABLES, "secret_directory = 'none'")


def lock(connection: duckdb.DuckDBPyConnection, *, unsafe: bool = False) -> None:
    """Lock a database after its rows were read. With `unsafe`, SQL may still use files and the network."""
    for setting in (NO_VARIABLES,) if unsafe else LOCKED:
        connection.execute(f"SET GLOBAL {setting}")
