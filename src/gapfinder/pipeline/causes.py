"""The causes: one file each, in `sql/trace/40_causes` or written by the user.

A few parts of the evidence, of jobs and of ranks know a cause by its name; all else asks its file.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from gapfinder.errors import UsageError
from gapfinder.pipeline import relations
from gapfinder.pipeline.cause_facts import read
from gapfinder.pipeline.cause_spec import FOLDER, CauseSpec
from gapfinder.pipeline.own_causes import read_own_cause

# Words of gates, ledgers and verdicts; and of JavaScript, where each object has them.
TAKEN = {"compute", "lost", "step", "window", "gpu_bound", "constructor", "__proto__"}


@cache
def built_in() -> dict[str, CauseSpec]:
    """The causes that gapfinder knows, by id."""
    return {file.stem: read(file) for file in sorted((relations.folder() / FOLDER).glob("*.sql"))}


def known(own: Iterable[Path] = ()) -> dict[str, CauseSpec]:
    """Every cause by its id: the built-in ones, and the user's own. Raises UsageError if a file of the user's is wrong."""
    found = dict(built_in())
    for file in own:
        if file.stem in found or file.stem in TAKEN:
            raise UsageError(f"{file}: the name {file.stem!r} is taken: give the file another one")
        found[file.stem] = read_own_cause(file)
    return found


def table(causes: Mapping[str, CauseSpec] | None = None) -> str:
    """The causes as a Markdown table, as in the README; by default the built-in ones, without those that are by design."""
    specs = sorted((built_in() if causes is None else causes).values(), key=lambda spec: spec.cause)
    shown = [spec for spec in specs if spec.usual_fix and not spec.by_design]
    rows = [f"| `{spec.cause}` | {spec.meaning} | {spec.usual_fix} |" for spec in shown]
    return "\n".join(["| cause | the GPU does not compute because | usual fix |", "| --- | --- | --- |", *rows])


if __name__ == "__main__":
    print(table())  # noqa: T201  `python -m gapfinder.pipeline.causes` writes what the README is checked against
