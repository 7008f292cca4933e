"""The causes as relations: their facts as tables, and their views joined into one for each kind."""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from gapfinder.pipeline.cause_spec import FOLDER, VIEWS, CauseSpec
from gapfinder.pipeline.relations import Relation
from gapfinder.pipeline.stated import casts, comments, literal, table

LAYER = Path(FOLDER).name
CAUSE = ("VARCHAR", "id of the cause")


def fact_tables(causes: Collection[CauseSpec], patterns: Mapping[str, Iterable[str]]) -> list[Relation]:
    """The tables of facts. `patterns` are regular expressions for names of NVTX ranges, by cause.

    Those that the user adds to the ones of a cause's file count whatever is done there.
    """
    in_files = {each.cause: each.range_names for each in causes}
    of_libraries = {each.cause: each.library_names for each in causes}
    return [
        table(
            "causes",
            LAYER,
            "the causes, as their files describe them",
            {
                "cause": CAUSE,
                "meaning": ("VARCHAR", 'completes "the GPU does not compute because"'),
                "by_design": ("BOOLEAN", "true where the program means to wait"),
                "finding_share": ("DOUBLE", "share of the window from which it is a finding, 0 to 1"),
                "states_lines": ("BOOLEAN", "true where its file says which Python samples count for it"),
                "removes_segments": ("BOOLEAN", "true where a replay without it does not spend the CPU time of its segments"),
                "removes_streams": ("BOOLEAN", "true where a replay without it lets streams wait for no other"),
                "made_by_others": ("BOOLEAN", "true where others make what is waited for, no sooner without other causes"),
            },
            [
                (
                    each.cause,
                    each.meaning,
                    each.by_design,
                    each.finding_share,
                    each.has("lines"),
                    bool(each.remove and each.remove.segments),
                    bool(each.remove and each.remove.streams),
                    bool(each.remove and each.remove.made_by_others),
                )
                for each in causes
            ],
        ),
        table(
            "state_rules",
            LAYER,
            "states of segments that a cause explains, unless a rule of a smaller priority number explains one",
            {
                "cause": CAUSE,
                "state": ("VARCHAR", "as in segments"),
                "priority": VIEWS["rules"][1]["priority"],
                "basis": VIEWS["rules"][1]["basis"],
            },
            [(each.cause, rule.state, rule.priority, rule.basis) for each in causes for rule in each.states],
        ),
        table(
            "needs",
            LAYER,
            "what each cause needs of a trace, without which the trace cannot tell it",
            {"cause": CAUSE, "need": ("VARCHAR", "as in requirements")},
            [(each.cause, need) for each in causes for need in each.needs],
        ),
        table(
            "removed_states",
            LAYER,
            "states of threads whose CPU time a replay without the cause does not spend",
            {"cause": CAUSE, "state": ("VARCHAR", "as in thread_states")},
            [(each.cause, state) for each in causes if each.remove for state in each.remove.states],
        ),
        table(
            "name_patterns",
            LAYER,
            "regular expressions for names of NVTX ranges that speak for a cause",
            {
                "cause": CAUSE,
                "pattern": ("VARCHAR", "regular expression, case does not matter"),
                "refutable": ("BOOLEAN", "true where the name counts only if nothing refutes it, as in judged_ranges"),
                "of_library": ("BOOLEAN", "true where a library names its ranges so, after what it does"),
            },
            [
                (cause, pattern, pattern in in_files.get(cause, ()), pattern in of_libraries.get(cause, ()))
                for cause, own in patterns.items()
                for pattern in own
            ],
        ),
        table(
            "proving_states",
            LAYER,
            "states of segments that prove what the name of an NVTX range says",
            {"cause": CAUSE, "state": ("VARCHAR", "as in segments, or download: copies of results to the host")},
            [(each.cause, state) for each in causes for state in each.names_proven_by],
        ),
        table(
            "sample_patterns",
            LAYER,
            "regular expressions for stacks of samples that speak for a cause",
            {
                "cause": CAUSE,
                "kind": ("VARCHAR", "python: for the frames of python_stacks; library, function: for those of cpu_frames"),
                "pattern": ("VARCHAR", "regular expression"),
            },
            [
                (each.cause, kind, pattern)
                for each in causes
                for kind, own in (("python", each.frames), ("library", each.libraries), ("function", each.functions))
                for pattern in own
            ],
        ),
    ]


def macros(causes: Collection[CauseSpec], patterns: Mapping[str, Iterable[str]]) -> list[Relation]:
    """Macros that list the patterns that a text matches. A join with a table of patterns would compile each for each text."""
    names = {pattern: f"regexp_matches(name, {literal(pattern)}, 'i')" for own in patterns.values() for pattern in own}
    stacks = {pattern: f"regexp_matches(frames, {literal(pattern)})" for each in causes for pattern in each.frames}
    return [_matching("patterns_of_name", "name", names), _matching("patterns_of_stack", "frames", stacks)]


def _matching(name: str, argument: str, conditions: Mapping[str, str]) -> Relation:
    listed = ", ".join(f"CASE WHEN {condition} THEN {literal(pattern)} END" for pattern, condition in conditions.items())
    sql = f"CREATE MACRO {name}({argument}) AS list_filter(CAST([{listed}] AS VARCHAR[]), lambda pattern: pattern IS NOT NULL)"
    return Relation(name, LAYER, frozenset(), sql)


def unions(causes: Collection[CauseSpec]) -> list[Relation]:
    """The views `rules`, `lines` and `notes`: each joins the views of all causes and adds a column for the cause."""
    return [_union(kind, causes) for kind in ("rules", "lines", "notes")]


def _union(kind: str, causes: Collection[CauseSpec]) -> Relation:
    meaning, own = VIEWS[kind]
    columns = {"cause": CAUSE} | own
    views = [(each.cause, f"{kind}_{each.cause}") for each in causes if each.has(kind)]
    nothing = "SELECT " + ", ".join(f"NULL AS {name}" for name in columns) + " WHERE false"
    parts = [f"SELECT {literal(cause)} AS cause, * FROM {view}" for cause, view in views] or [nothing]
    sql = f"CREATE VIEW {kind} AS\nSELECT {casts(columns)} FROM ({' UNION ALL BY NAME '.join(parts)})"
    comment = comments("VIEW", kind, meaning.format("a cause"), columns)
    return Relation(kind, LAYER, frozenset(view for _, view in views), sql, comment)
