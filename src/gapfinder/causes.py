"""The causes, as their files in `sql/4_causes` document them."""

import re
from dataclasses import dataclass
from functools import cache

import duckdb

from gapfinder import layers

LAYER = "4_causes"
_COMMENT = r"COMMENT ON VIEW {view} IS '((?:[^']|'')*)';"


@dataclass(frozen=True)
class CauseDoc:
    """What a cause means, and its usual fix."""

    cause: str
    meaning: str
    usual_fix: str


@cache
def documented() -> dict[str, CauseDoc]:
    """Every cause by its id. A file `x.sql` defines the views `claims_x` and `fix_x`, whose comments are its documentation."""
    docs = {}
    for file in layers.files(LAYER):
        text = file.read_text()
        docs[file.stem] = CauseDoc(file.stem, _comment(text, f"claims_{file.stem}"), _comment(text, f"fix_{file.stem}"))
    return docs


def _comment(text: str, view: str) -> str:
    found = re.search(_COMMENT.format(view=view), text)
    if not found:
        raise LookupError(f"{LAYER}: {view} has no comment")
    return found[1].replace("''", "'")


def gather_claims(connection: duckdb.DuckDBPyConnection) -> None:
    """The claims of all causes as one view (slice_id, rule). A rule is precedence, cause and basis in one number."""
    found = sorted(documented())
    ids = ", ".join(f"'{cause}'" for cause in [*found, "unexplained"])
    connection.execute(f"CREATE TYPE cause_id AS ENUM ({ids}); CREATE TYPE claim_basis AS ENUM ('seen', 'named', 'inferred')")
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
