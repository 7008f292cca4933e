"""Locks a database: neither a query nor a cause of the user may read a file, the network or a variable of the program."""

import duckdb

NO_VARIABLES = "python_enable_replacements = false"
# The first setting cannot be taken back. The last three hide the name of the user, which is part of the paths that errors tell.
LOCKED = (
    "enable_external_access = false",
    NO_VARIABLES,
    "secret_directory = 'none'",
    "autoinstall_known_extensions = false",
    "autoload_known_extensions = false",
)


def lock(connection: duckdb.DuckDBPyConnection, *, unsafe: bool = False) -> None:
    """Lock a database after its rows were read. With `unsafe`, SQL may still use files and the network."""
    for setting in (NO_VARIABLES,) if unsafe else LOCKED:
        connection.execute(f"SET GLOBAL {setting}")
