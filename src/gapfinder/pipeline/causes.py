"""The causes: one file each, in `sql/trace/40_causes` or written by the user. Nothing about a cause is anywhere else.

A file begins with facts, as TOML between `/* cause` and `*/`. Then follow these views, as needed:

    CREATE VIEW rules_X     segments that it explains besides those that `[[states]]` gives it: segment_id, priority, basis
    CREATE VIEW fix_X       what to change in this program: fix, one row
    CREATE VIEW lines_X     Python samples that count for it: file, line, function; by default those in its own segments
    CREATE VIEW unknown_X   why this trace cannot tell it: reason, one row; no row where it can
    CREATE VIEW notes_X     what the trace cannot tell about it: note

If several rules match a segment, the one with the lowest priority wins.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, get_type_hints

import duckdb

from gapfinder.errors import UsageError
from gapfinder.pipeline import relations
from gapfinder.pipeline.patterns import check_patterns
from gapfinder.pipeline.relations import Relation
from gapfinder.pipeline.runner import mentions
from gapfinder.pipeline.stated import comments
from gapfinder.query.statements import refused_function, statements_of
from gapfinder.system.small_files import read_own

FOLDER = "trace/40_causes"
UNEXPLAINED = "unexplained"  # the cause of segments that no rule explains
TAKEN = {"compute", "lost", "step", "window", "gpu_bound"}  # words of gates, ledgers and verdicts
NO_FACTS = {"cause", "sql"}  # fields of CauseSpec that are not facts in the file
# The views that the file of a cause may have, by kind: their meaning, and the types and meanings of their columns.
VIEWS = {
    "rules": (
        "single segments that {} explains",
        {
            "segment_id": ("INTEGER", "as in segments"),
            "priority": ("INTEGER", "of several rules on a segment the lowest wins"),
            "basis": ("VARCHAR", "as in window_segments"),
        },
    ),
    "fix": ("what to change about {}, for what was seen", {"fix": ("VARCHAR", "one or two sentences")}),
    "lines": (
        "Python samples that count for {}, where they are not those in its segments",
        {
            "file": ("VARCHAR", "as in python_samples"),
            "line": ("BIGINT", "as in python_samples"),
            "function": ("VARCHAR", "as in python_samples"),
        },
    ),
    "unknown": (
        "one row where this trace cannot tell {}",
        {"reason": ("VARCHAR", "what the trace lacks, and how to capture it")},
    ),
    "notes": ("what this trace cannot tell about {}", {"note": ("VARCHAR", "one sentence, with the capture that would tell")}),
}
BASES = ("seen", "named", "inferred")
STATES = (
    "launch", "run", "sync", "upload", "memory", "migration", "module", "io", "lock", "wait", "sleep", "off_cpu", "profiler",
    "queued", "stalled", "unknown", "communication", "copy", "interrupted",
)  # fmt: skip  # of segments
# What `[remove]` may name: states of threads, what calls wait for, and kinds of exposed activities.
REMOVABLE = {
    "states": ("run", "sync", "upload", "memory", "migration", "module", "io", "lock", "wait", "sleep", "off_cpu", "profiler"),
    "waits": ("sync", "download", "upload", "other_copy", "memory"),
    "overlapped": ("communication", "copy"),
}
LAST_PRIORITY = 9999
USUAL_SHARE = 0.03  # of the window: smaller losses are noise; step times vary by as much
_FACTS = re.compile(r"\A/\* cause\n(.*?)^\*/\n", re.DOTALL | re.MULTILINE)
_ID = re.compile(r"[a-z][a-z0-9_]*")
_COLOR = re.compile(r"#[0-9a-f]{6}")
_VIEW = re.compile(r"CREATE\s+VIEW\s+(\w+)\s*(?:\([^)]*\)\s*)?AS\b", re.IGNORECASE)


@dataclass(frozen=True)
class Removal:
    """What a replay changes in order to remove a cause. For most causes, it removes CPU time.

    The CPU time is that of the cause's `segments`, of NVTX ranges named after the cause, and of threads in one of `states`;
    with `wholly`, launches in it cost nothing either. Calls of the kinds `waits` (as in `blocking_calls.waits_for`) do not block.
    Activities of the kinds `overlapped` overlap all others. With `graph`, launches and activities run as in a CUDA graph; with
    `queue`, only activities do. With `streams`, no stream waits for another; with `ranks`, no rank waits for another. With
    `gpu_time`, the GPU has the time of the cause's segments for the activities that they interrupt or delay.
    """

    segments: bool = True
    states: tuple[str, ...] = ()
    wholly: bool = False
    waits: tuple[str, ...] = ()
    overlapped: tuple[str, ...] = ()
    graph: bool = False
    queue: bool = False
    streams: bool = False
    ranks: bool = False
    gpu_time: bool = False


@dataclass(frozen=True)
class StateRule:
    """The cause explains all segments of a state, except those that a rule of a lower priority gives to another cause."""

    state: str
    priority: int
    basis: str = "seen"


@dataclass(frozen=True)
class CauseSpec:
    """Everything that the file of a cause says.

    `meaning` completes "the GPU does not compute because". It is a finding if it costs `finding_share` of the window, or if a
    replay without it makes the step shorter by `finding_gain` of it. A cause that is `by_design` is the verdict only if there
    is no other finding; `by_design_in` names patterns of jobs in which that is so. `names` are regular expressions for NVTX
    ranges whose time belongs to the cause. The colours are for light and dark pages. `file` is the file of a user's own cause.
    """

    cause: str
    meaning: str
    usual_fix: str = ""
    by_design: bool = False
    by_design_in: tuple[str, ...] = ()
    finding_share: float = USUAL_SHARE
    finding_gain: float = USUAL_SHARE
    states: tuple[StateRule, ...] = ()
    names: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    remove: Removal | None = Removal()
    color: str | None = None
    color_dark: str | None = None
    sql: str = ""
    file: Path | None = None

    def has(self, kind: str) -> bool:
        """Whether its file has a view of this kind, one of `VIEWS`."""
        return any(view.name == f"{kind}_{self.cause}" for view in self.relations)

    @cached_property
    def relations(self) -> list[Relation]:
        """The views in the file, with the comments on views of their kind."""
        views = _own_views(self.sql) if self.file else relations.of_text(self.sql, Path(FOLDER).name)
        return [replace(view, comments=_comments(view.name, self.cause)) for view in views]


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
        found[file.stem] = replace(read(file), file=file)
        try:
            check_patterns((*found[file.stem].names, *found[file.stem].frames, *found[file.stem].libraries))
        except ValueError as error:
            raise UsageError(f"{file}: {error}") from error
    return found


def read(file: Path) -> CauseSpec:
    """The cause in a file. Raises UsageError, which names the file."""
    text = read_own(file)
    try:
        if not _ID.fullmatch(file.stem):
            raise UsageError(f"{file}: the name of a cause is made of a-z, 0-9 and _")
        if not (head := _FACTS.match(text)):
            raise UsageError(f"{file}: a cause begins with its facts, as TOML between '/* cause' and '*/'")
        return _cause(file.stem, tomllib.loads(head[1]), text[head.end() :])
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{file}: {error}") from error


def _cause(cause: str, facts: dict[str, Any], sql: str) -> CauseSpec:
    """Raises ValueError if the facts are wrong."""
    if "meaning" not in facts:
        raise ValueError("the facts of a cause need a meaning")
    states, remove = _states(facts.pop("states", [])), facts.pop("remove", {})
    if not isinstance(remove, dict) and remove is not False:
        raise ValueError("remove is a table, or false where a replay cannot take the cause away")
    found = _checked(CauseSpec, facts)
    for color in ("color", "color_dark"):
        if not _COLOR.fullmatch(found.get(color, "#000000")):
            raise ValueError(f"{color} is six hexadecimal digits, as #d03b3b")
    removal = _removal(remove) if isinstance(remove, dict) else None
    return CauseSpec(**(found | {"cause": cause, "states": states, "remove": removal, "sql": sql}))


def _removal(facts: dict[str, Any]) -> Removal:
    """Raises ValueError if a fact is wrong, or names what there is not."""
    found = _checked(Removal, facts)
    for name, known in REMOVABLE.items():
        if unknown := [each for each in found.get(name, ()) if each not in known]:
            raise ValueError(f"there is no {unknown[0]!r} to remove; {name} are {', '.join(known)}")
    return Removal(**found)


def _states(rules: Any) -> tuple[StateRule, ...]:
    """Raises ValueError if a rule on a state is wrong."""
    if not isinstance(rules, list) or not all(isinstance(rule, dict) and {"state", "priority"} <= rule.keys() for rule in rules):
        raise ValueError("states are tables [[states]], each with a state and a priority")
    found = tuple(StateRule(**_checked(StateRule, rule)) for rule in rules)
    for rule in found:
        if rule.state not in STATES:
            raise ValueError(f"there is no state {rule.state!r}; the states are {', '.join(STATES)}")
        if rule.basis not in BASES or not 0 <= rule.priority <= LAST_PRIORITY:
            raise ValueError(f"a rule has a priority of 0 to {LAST_PRIORITY}, and a basis: {', '.join(BASES)}")
    return found


_TYPES: dict[Any, tuple[Callable[[Any], bool], str]] = {
    str: (lambda value: isinstance(value, str), "a text"),
    str | None: (lambda value: isinstance(value, str), "a text"),
    bool: (lambda value: isinstance(value, bool), "true or false"),
    int: (lambda value: isinstance(value, int) and not isinstance(value, bool), "a whole number"),
    float: (lambda value: isinstance(value, int | float) and not isinstance(value, bool), "a number"),
    tuple[str, ...]: (lambda value: isinstance(value, list) and all(isinstance(each, str) for each in value), "a list of texts"),
}


def _checked(kind: type, facts: dict[str, Any]) -> dict[str, Any]:
    """The facts for the fields of `kind`, with lists as tuples. Raises ValueError if one is not a field or has the wrong type."""
    hints = get_type_hints(kind)
    types = {field.name: _TYPES[hints[field.name]] for field in fields(kind) if hints[field.name] in _TYPES}
    types = {name: found for name, found in types.items() if name not in NO_FACTS}
    for name, value in facts.items():
        if name not in types:
            raise ValueError(f"there is no fact {name!r}; here stand {', '.join(types)}")
        fits, called = types[name]
        if not fits(value):
            raise ValueError(f"{name} is {called}")
    return {name: tuple(value) if isinstance(value, list) else value for name, value in facts.items()}


def _own_views(sql: str) -> list[Relation]:
    """The views of a user's own cause, which need not say what they read."""
    try:
        statements = statements_of(sql)
    except duckdb.Error:  # check_statements reports it
        return []
    with duckdb.connect() as connection:
        return [
            Relation(view[1].lower(), Path(FOLDER).name, _read(connection, text[view.end() :]), text)
            for text in statements
            if (view := _VIEW.match(text))
        ]


def _read(connection: duckdb.DuckDBPyConnection, query: str) -> frozenset[str]:
    """The names in a query of the user's. Not all of them need to be relations."""
    return frozenset(name.lower() for name in mentions(connection, query) or ())


def check_statements(connection: duckdb.DuckDBPyConnection, cause: CauseSpec) -> None:
    """Raise UsageError if a user's own file is not SQL, or has other statements than a cause has. This needs no trace."""
    try:
        statements = statements_of(cause.sql, connection)
    except duckdb.Error as error:
        raise UsageError(f"{cause.file}: {str(error).splitlines()[0]}") from error
    views = [f"{kind}_{cause.cause}" for kind in VIEWS]
    for statement in statements:
        view = _VIEW.match(statement)
        if not (view and view[1].lower() in views) and not re.match(r"COMMENT\s+ON\b", statement, re.IGNORECASE):
            raise UsageError(f"{cause.file}: a cause is views ({', '.join(views)}) and comments, and no more")
        if refused := refused_function(connection, statement):
            raise UsageError(f"{cause.file}: a cause may only read relations, and {refused}")


def check_rows(connection: duckdb.DuckDBPyConnection, cause: CauseSpec) -> None:
    """Raise UsageError if the views of a user's own cause have wrong columns or values.

    Raises an error of DuckDB if they cannot be read.
    """
    if cause.has("rules"):
        wrong = connection.execute(
            f"SELECT 1 FROM (SELECT CAST(segment_id AS INTEGER) AS segment_id, CAST(priority AS INTEGER) AS priority, basis "
            f"FROM rules_{cause.cause}) WHERE segment_id IS NULL OR basis IS NULL OR basis NOT IN {BASES} "
            f"OR coalesce(priority NOT BETWEEN 0 AND {LAST_PRIORITY}, true) LIMIT 1"
        )
        if wrong.fetchall():
            raise UsageError(
                f"{cause.file}: a rule has a segment_id, a priority of 0 to {LAST_PRIORITY}, and a basis: {', '.join(BASES)}"
            )
    for kind, column in (("fix", "fix"), ("unknown", "reason"), ("notes", "note")):
        if cause.has(kind):
            rows = connection.execute(f"SELECT {column} FROM {kind}_{cause.cause}").fetchall()
            if not all(isinstance(text, str | None) for (text,) in rows):
                raise UsageError(f"{cause.file}: the {column} in {kind}_{cause.cause} is a text")


def _comments(view: str, cause: str) -> str:
    meaning, columns = VIEWS[view.removesuffix(f"_{cause}")]
    return comments("VIEW", view, meaning.format(cause), {name: meant for name, (_, meant) in columns.items()})


def table(causes: Mapping[str, CauseSpec] | None = None) -> str:
    """The causes as a Markdown table, as in the README; by default the built-in ones, without those that are by design."""
    specs = sorted((built_in() if causes is None else causes).values(), key=lambda spec: spec.cause)
    shown = [spec for spec in specs if spec.usual_fix and not spec.by_design]
    rows = [f"| `{spec.cause}` | {spec.meaning} | {spec.usual_fix} |" for spec in shown]
    return "\n".join(["| cause | the GPU does not compute because | usual fix |", "| --- | --- | --- |", *rows])


if __name__ == "__main__":
    print(table())  # noqa: T201  `python -m gapfinder.pipeline.causes` writes what the README is checked against
