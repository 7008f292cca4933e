"""The causes, as their files document them: those in `sql/4_causes`, and the user's own."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import duckdb

from gapfinder import layers
from gapfinder.errors import UsageError

LAYER = "4_causes"
UNEXPLAINED = "unexplained"
TAKEN = {UNEXPLAINED, "compute", "lost", "step", "window", "gpu_bound"}  # words of gates, ledgers and verdicts
LAST_PRECEDENCE = 9999
_COMMENT = re.compile(r"COMMENT ON VIEW (\w+) IS '((?:[^']|'')*)';")
# A cause claims slices one by one, or all of a state: by what, and as which type that is kept. Most slices are of a state that a
# cause claims, and a million of them are settled by state in a tenth of the time that it takes one by one.
KINDS = {"claims": ("slice_id", "INTEGER"), "states": ("state", "slice_state")}


@dataclass(frozen=True)
class CauseDoc:
    """What a cause means, and its usual fix."""

    cause: str
    meaning: str
    usual_fix: str


def documented(own: tuple[Path, ...] = ()) -> dict[str, CauseDoc]:
    """Every cause by its id: those of `sql/4_causes`, and the files of the user's `own`.

    A file `x.sql` defines the view `fix_x`, and `claims_x`, `states_x` or both; the comments on the fix and on the first of
    these are its documentation. Raises UsageError where one of the user's does not.
    """
    docs = dict(_built_in())
    for file in own:
        if file.stem in docs or file.stem in TAKEN:
            raise UsageError(f"{file}: the name {file.stem!r} is taken: give the file another one")
        docs[file.stem] = _doc(file)
    return docs


@cache
def _built_in() -> dict[str, CauseDoc]:
    return {file.stem: _doc(file) for file in layers.files(LAYER)}


def _doc(file: Path) -> CauseDoc:
    try:
        text = file.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} cannot be read: {error}") from error
    if not re.fullmatch(r"[a-z][a-z0-9_]*", file.stem):
        raise UsageError(f"{file}: the name of a cause is made of a-z, 0-9 and _")
    return CauseDoc(file.stem, _comment(file, text, *KINDS), _comment(file, text, "fix"))


def _comment(file: Path, text: str, *kinds: str) -> str:
    """The comment on the first view of one of these kinds."""
    views = [f"{kind}_{file.stem}" for kind in kinds]
    for view, comment in _COMMENT.findall(text):
        if view in views:
            return str(comment).replace("''", "'")
    raise UsageError(f"{file}: there is no COMMENT ON VIEW {views[0]} IS '…'; the README says what a cause needs")


def define(connection: duckdb.DuckDBPyConnection, own: tuple[Path, ...], *, comments: bool = False) -> None:
    """Create the views of all causes, and what all claim as two: `claims` (slice_id, rule) and `states` (state, rule).

    A rule is precedence, cause and basis in one number. Raises UsageError where SQL of the user's `own` fails.
    """
    layers.run_together(connection, LAYER, comments=comments)
    connection.execute("CREATE TYPE claim_basis AS ENUM ('seen', 'named', 'inferred')")
    views = set(_built_in_views())
    for file in own:
        try:
            views |= _define_own(connection, file)
        except duckdb.Error as error:
            raise UsageError(f"{file}: {str(error).splitlines()[0]}") from error
    found = sorted(documented(own))
    ids = ", ".join(f"'{cause}'" for cause in [*found, UNEXPLAINED])
    connection.execute(f"CREATE TYPE cause_id AS ENUM ({ids})")
    for kind, (key, _) in KINDS.items():
        each = (
            f"SELECT {key}, precedence * 10000 + {code * 10} + enum_code(basis) AS rule FROM ({_claimed(kind, cause)})"
            for code, cause in enumerate(found)
            if f"{kind}_{cause}" in views
        )
        connection.execute(f"CREATE VIEW {kind} WITH (DEFER_BINDING) AS {' UNION ALL '.join(each)}")


def _claimed(kind: str, cause: str) -> str:
    types = dict([KINDS[kind]]) | {"precedence": "INTEGER", "basis": "claim_basis"}
    return f"SELECT {', '.join(f'CAST({name} AS {type_}) AS {name}' for name, type_ in types.items())} FROM {kind}_{cause}"


@cache
def _built_in_views() -> frozenset[str]:
    return frozenset(name for file in layers.files(LAYER) for name in layers.created(file))


def _define_own(connection: duckdb.DuckDBPyConnection, file: Path) -> set[str]:
    """The views of a user's own cause, by name, read once, so that whatever is wrong is told with the name of the file."""
    cause, views = file.stem, set()
    for statement in connection.extract_statements(file.read_text()):
        text = re.sub(r"^\s*--.*$", "", statement.query, flags=re.MULTILINE).strip()
        if made := re.match(rf"CREATE\s+VIEW\s+(claims|states|fix)_{cause}\b", text, re.IGNORECASE):
            connection.execute(statement)
            kind = made[1].lower()
            views.add(f"{kind}_{cause}")
            if kind in KINDS:
                _check_claims(connection, file, kind)
        elif not re.match(r"COMMENT\s+ON\b", text, re.IGNORECASE):
            raise UsageError(f"{file}: a cause is views claims_{cause} or states_{cause}, fix_{cause} and comments, and no more")
    if not all(isinstance(fix, str | None) for (fix,) in connection.execute(f"SELECT fix FROM fix_{cause}").fetchall()):
        raise UsageError(f"{file}: the fix in fix_{cause} is a text")
    return views


def _check_claims(connection: duckdb.DuckDBPyConnection, file: Path, kind: str) -> None:
    key, _ = KINDS[kind]
    wrong = connection.execute(
        f"SELECT {key} FROM ({_claimed(kind, file.stem)}) "
        f"WHERE {key} IS NULL OR coalesce(precedence NOT BETWEEN 0 AND {LAST_PRECEDENCE}, true) OR basis IS NULL LIMIT 1"
    )
    if wrong.fetchall():
        raise UsageError(f"{file}: a claim has a {key}, a precedence of 0 to {LAST_PRECEDENCE}, and a basis")


def table() -> str:
    """The causes as a Markdown table, as the README shows it."""
    rows = [f"| `{doc.cause}` | {doc.meaning} | {doc.usual_fix} |" for _, doc in sorted(documented().items())]
    return "\n".join(["| cause | the GPU does not compute because | usual fix |", "| --- | --- | --- |", *rows])


if __name__ == "__main__":
    print(table())  # noqa: T201  `python -m gapfinder.causes` writes what the README is checked against
