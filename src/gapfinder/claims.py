"""What the causes claim: their views in a database, those of `sql/4_causes` and the user's own."""

import re
from functools import cache
from pathlib import Path

import duckdb

from gapfinder import causes, layers
from gapfinder.errors import UsageError

LAST_PRECEDENCE = 9999
# The user's own causes: of each file its statements, those that create a view with the view's kind.
Statements = list[tuple[str | None, duckdb.Statement]]
Own = dict[Path, Statements]


def parsed(connection: duckdb.DuckDBPyConnection, files: tuple[Path, ...]) -> Own:
    """What the user's own files say, asked before a trace is read for them.

    Raises UsageError where one is no SQL, or says more than a cause does.
    """
    return {file: [(_kind(file, statement), statement) for statement in _statements(connection, file)] for file in files}


def _statements(connection: duckdb.DuckDBPyConnection, file: Path) -> list[duckdb.Statement]:
    try:
        return connection.extract_statements(file.read_text())
    except duckdb.Error as error:
        raise _wrong(file, error) from error


def _kind(file: Path, statement: duckdb.Statement) -> str | None:
    """Of a view, `claims`, `states` or `fix`; None of a comment."""
    cause = file.stem
    text = re.sub(r"^\s*--.*$", "", statement.query, flags=re.MULTILINE).strip()
    if made := re.match(rf"CREATE\s+VIEW\s+(claims|states|fix)_{cause}\b", text, re.IGNORECASE):
        return made[1].lower()
    if not re.match(r"COMMENT\s+ON\b", text, re.IGNORECASE):
        raise UsageError(f"{file}: a cause is views claims_{cause} or states_{cause}, fix_{cause} and comments, and no more")
    return None


def define(connection: duckdb.DuckDBPyConnection, own: Own, *, comments: bool = False) -> None:
    """Create the views of all causes, and what all claim as two: `claims` (slice_id, rule) and `states` (state, rule).

    A rule is precedence, cause and basis in one number. Raises UsageError where SQL of the user's `own` fails.
    """
    layers.run_together(connection, causes.LAYER, comments=comments)
    connection.execute("CREATE TYPE claim_basis AS ENUM ('seen', 'named', 'inferred')")
    views = set(_built_in_views())
    for file, statements in own.items():
        try:
            views |= _define_own(connection, file, statements)
        except duckdb.Error as error:
            raise _wrong(file, error) from error
    found = sorted([*causes.documented(), *(file.stem for file in own)])
    ids = ", ".join(f"'{cause}'" for cause in [*found, causes.UNEXPLAINED])
    connection.execute(f"CREATE TYPE cause_id AS ENUM ({ids})")
    for kind, (key, _) in causes.KINDS.items():
        each = (
            f"SELECT {key}, precedence * 10000 + {code * 10} + enum_code(basis) AS rule FROM ({_claimed(kind, cause)})"
            for code, cause in enumerate(found)
            if f"{kind}_{cause}" in views
        )
        connection.execute(f"CREATE VIEW {kind} WITH (DEFER_BINDING) AS {' UNION ALL '.join(each)}")


def _claimed(kind: str, cause: str) -> str:
    types = dict([causes.KINDS[kind]]) | {"precedence": "INTEGER", "basis": "claim_basis"}
    return f"SELECT {', '.join(f'CAST({name} AS {type_}) AS {name}' for name, type_ in types.items())} FROM {kind}_{cause}"


@cache
def _built_in_views() -> frozenset[str]:
    return frozenset(name for file in layers.files(causes.LAYER) for name in layers.created(file))


def _define_own(connection: duckdb.DuckDBPyConnection, file: Path, statements: Statements) -> set[str]:
    """The views of a user's own cause, by name, read once, so that whatever is wrong is told with the name of the file."""
    cause, views = file.stem, set()
    for kind, statement in statements:
        if kind:
            connection.execute(statement)
            views.add(f"{kind}_{cause}")
        if kind in causes.KINDS:
            _check_claims(connection, file, kind)
    if not all(isinstance(fix, str | None) for (fix,) in connection.execute(f"SELECT fix FROM fix_{cause}").fetchall()):
        raise UsageError(f"{file}: the fix in fix_{cause} is a text")
    return views


def _check_claims(connection: duckdb.DuckDBPyConnection, file: Path, kind: str) -> None:
    key, _ = causes.KINDS[kind]
    wrong = connection.execute(
        f"SELECT {key} FROM ({_claimed(kind, file.stem)}) "
        f"WHERE {key} IS NULL OR coalesce(precedence NOT BETWEEN 0 AND {LAST_PRECEDENCE}, true) OR basis IS NULL LIMIT 1"
    )
    if wrong.fetchall():
        raise UsageError(f"{file}: a claim has a {key}, a precedence of 0 to {LAST_PRECEDENCE}, and a basis")


def _wrong(file: Path, error: duckdb.Error) -> UsageError:
    return UsageError(f"{file}: {str(error).splitlines()[0]}")
