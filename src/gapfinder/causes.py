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
_COMMENT = r"COMMENT ON VIEW {view} IS '((?:[^']|'')*)';"


@dataclass(frozen=True)
class CauseDoc:
    """What a cause means, and its usual fix."""

    cause: str
    meaning: str
    usual_fix: str


def documented(own: tuple[Path, ...] = ()) -> dict[str, CauseDoc]:
    """Every cause by its id: those of `sql/4_causes`, and the files of the user's `own`.

    A file `x.sql` defines the views `claims_x` and `fix_x`, whose comments are its documentation. Raises UsageError where one
    of the user's does not.
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
    return CauseDoc(file.stem, _comment(file, text, f"claims_{file.stem}"), _comment(file, text, f"fix_{file.stem}"))


def _comment(file: Path, text: str, view: str) -> str:
    found = re.search(_COMMENT.format(view=view), text)
    if not found:
        raise UsageError(f"{file}: there is no COMMENT ON VIEW {view} IS '…'; the README says what a cause needs")
    return found[1].replace("''", "'")


def define(connection: duckdb.DuckDBPyConnection, own: tuple[Path, ...], *, comments: bool = False) -> None:
    """Create the views of all causes, and the claims of all as one view (slice_id, rule).

    A rule is precedence, cause and basis in one number. Raises UsageError where SQL of the user's `own` fails.
    """
    layers.run_together(connection, LAYER, comments=comments)
    connection.execute("CREATE TYPE claim_basis AS ENUM ('seen', 'named', 'inferred')")
    for file in own:
        try:
            _define_own(connection, file)
        except duckdb.Error as error:
            raise UsageError(f"{file}: {str(error).splitlines()[0]}") from error
    found = sorted(documented(own))
    ids = ", ".join(f"'{cause}'" for cause in [*found, UNEXPLAINED])
    connection.execute(f"CREATE TYPE cause_id AS ENUM ({ids})")
    each = (
        f"SELECT slice_id, precedence * 10000 + {code * 10} + enum_code(basis) AS rule FROM ({_claims(cause)})"
        for code, cause in enumerate(found)
    )
    connection.execute(f"CREATE VIEW claims AS {' UNION ALL '.join(each)}")


def _claims(cause: str) -> str:
    types = {"slice_id": "INTEGER", "precedence": "INTEGER", "basis": "claim_basis"}
    return f"SELECT {', '.join(f'CAST({name} AS {kind}) AS {name}' for name, kind in types.items())} FROM claims_{cause}"


def _define_own(connection: duckdb.DuckDBPyConnection, file: Path) -> None:
    """The two views of a user's own cause, read once, so that whatever is wrong with them is told with the name of the file."""
    cause = file.stem
    for statement in connection.extract_statements(file.read_text()):
        text = re.sub(r"^\s*--.*$", "", statement.query, flags=re.MULTILINE).strip()
        if re.match(rf"CREATE\s+VIEW\s+(claims|fix)_{cause}\b", text, re.IGNORECASE):
            connection.execute(statement)
        elif not re.match(r"COMMENT\s+ON\b", text, re.IGNORECASE):
            raise UsageError(f"{file}: a cause is CREATE VIEW claims_{cause}, CREATE VIEW fix_{cause} and comments, and no more")
    wrong = connection.execute(
        f"SELECT slice_id FROM ({_claims(cause)}) "
        f"WHERE slice_id IS NULL OR coalesce(precedence NOT BETWEEN 0 AND {LAST_PRECEDENCE}, true) OR basis IS NULL LIMIT 1"
    )
    if wrong.fetchall():
        raise UsageError(f"{file}: a claim has a slice_id, a precedence of 0 to {LAST_PRECEDENCE}, and a basis")
    if not all(isinstance(fix, str | None) for (fix,) in connection.execute(f"SELECT fix FROM fix_{cause}").fetchall()):
        raise UsageError(f"{file}: the fix in fix_{cause} is a text")


def table() -> str:
    """The causes as a Markdown table, as the README shows it."""
    rows = [f"| `{doc.cause}` | {doc.meaning} | {doc.usual_fix} |" for _, doc in sorted(documented().items())]
    return "\n".join(["| cause | the GPU does not compute because | usual fix |", "| --- | --- | --- |", *rows])


if __name__ == "__main__":
    print(table())  # noqa: T201  `python -m gapfinder.causes` writes what the README is checked against
