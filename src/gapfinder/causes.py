"""The causes, as their files document them: those in `sql/4_causes`, and the user's own."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gapfinder import layers
from gapfinder.errors import UsageError

LAYER = "4_causes"
UNEXPLAINED = "unexplained"
TAKEN = {UNEXPLAINED, "compute", "lost", "step", "window", "gpu_bound"}  # words of gates, ledgers and verdicts
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


def table() -> str:
    """The causes as a Markdown table, as the README shows it."""
    rows = [f"| `{doc.cause}` | {doc.meaning} | {doc.usual_fix} |" for _, doc in sorted(documented().items())]
    return "\n".join(["| cause | the GPU does not compute because | usual fix |", "| --- | --- | --- |", *rows])


if __name__ == "__main__":
    print(table())  # noqa: T201  `python -m gapfinder.causes` writes what the README is checked against
