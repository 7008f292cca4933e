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
_COMMENT = r"COMMENT ON VIEW {view} IS '((?:[^']|'')*)';"


@dataclass(frozen=True)
class CauseDoc:
    """What a cause means, and its usual fix."""

    cause: str
    meaning: str
    usual_fix: str


@cache
def documented(own: tuple[Path, ...] = ()) -> dict[str, CauseDoc]:
    """Every cause by its id: those of `sql/4_causes`, and the files of the user's `own`.

    A file `x.sql` defines the views `claims_x` and `fix_x`, whose comments are its documentation. Raises UsageError where one
    of the user's does not.
    """
    docs = {file.stem: _doc(file) for file in layers.files(LAYER)}
    for file in own:
        if file.stem in docs or file.stem == UNEXPLAINED:
            raise UsageError(f"{file}: there is a cause {file.stem!r} already: give the file another name")
        docs[file.stem] = _doc(file)
    return docs


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
    layers.run(connection, LAYER, comments=comments)
    connection.execute("CREATE TYPE claim_basis AS ENUM ('seen', 'named', 'inferred')")
    for file in own:
        try:
            connection.execute(file.read_text())
            claims = f"SELECT slice_id, CAST(precedence AS INTEGER), CAST(basis AS claim_basis) FROM claims_{file.stem}"
            connection.execute(claims).fetchall()
            connection.execute(f"SELECT fix FROM fix_{file.stem} LIMIT 0")
        except duckdb.Error as error:
            raise UsageError(f"{file}: {str(error).splitlines()[0]}") from error
    found = sorted(documented(own))
    ids = ", ".join(f"'{cause}'" for cause in [*found, UNEXPLAINED])
    connection.execute(f"CREATE TYPE cause_id AS ENUM ({ids})")
    each = (
        f"SELECT slice_id, precedence * 10000 + {code * 10} + enum_code(CAST(basis AS claim_basis)) AS rule FROM claims_{cause}"
        for code, cause in enumerate(found)
    )
    connection.execute(f"CREATE VIEW claims AS {' UNION ALL '.join(each)}")


def table() -> str:
    """The causes as a Markdown table, as the README shows it."""
    rows = [f"| `{doc.cause}` | {doc.meaning} | {doc.usual_fix} |" for _, doc in sorted(documented().items())]
    return "\n".join(["| cause | the GPU does not compute because | usual fix |", "| --- | --- | --- |", *rows])


if __name__ == "__main__":
    print(table())  # noqa: T201  `python -m gapfinder.causes` writes what the README is checked against
