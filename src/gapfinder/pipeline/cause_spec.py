"""What a cause is: everything that its file says.

A file begins with facts, as TOML between `/* cause` and `*/`. Then follow these views, as needed:

    CREATE VIEW rules_X     segments that it explains besides those that `[[states]]` gives it: segment_id, priority, basis
    CREATE VIEW fix_X       what to change in this program: fix, one row
    CREATE VIEW lines_X     Python samples that count for it: file, line, function; by default those in its own segments
    CREATE VIEW notes_X     what the trace cannot tell about it: note

If several rules match a segment, the one with the lowest priority wins.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from gapfinder.pipeline import relations
from gapfinder.pipeline.relations import Relation
from gapfinder.pipeline.stated import comments

FOLDER = "trace/40_causes"
UNEXPLAINED = "unexplained"  # the cause of segments that no rule explains
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
    "notes": ("what this trace cannot tell about {}", {"note": ("VARCHAR", "one sentence, with the capture that would tell")}),
}
BASES = ("seen", "named", "inferred")
STATES = (
    "launch", "run", "sync", "upload", "memory", "migration", "module", "io", "lock", "wait", "sleep", "off_cpu", "profiler",
    "queued", "stalled", "unknown", "communication", "copy", "interrupted",
)  # fmt: skip  # of segments
NEEDS = ("os_calls", "os_calls_or_ranges", "core_switches", "gpu_switches", "graph_nodes", "all_ranks")  # as in requirements
# What `[remove]` may name: states of threads, what calls wait for, and kinds of exposed activities.
REMOVABLE = {
    "states": ("run", "sync", "upload", "memory", "migration", "module", "io", "lock", "wait", "sleep", "off_cpu", "profiler"),
    "waits": ("sync", "download", "upload", "other_copy", "memory"),
    "overlapped": ("communication", "copy"),
}
LAST_PRIORITY = 9999
USUAL_SHARE = 0.03  # of the window: smaller losses are noise; step times vary by as much


@dataclass(frozen=True)
class Removal:
    """What a replay changes in order to remove a cause. For most causes, it removes CPU time.

    The CPU time is that of the cause's `segments`, of NVTX ranges named after the cause, and of threads in one of `states`;
    with `wholly`, launches in it cost nothing either. Calls of the kinds `waits` (as in `blocking_calls.waits_for`) do not block.
    Activities of the kinds `overlapped` overlap all others. With `graph`, launches and activities run as in a CUDA graph; with
    `queue`, only activities do. With `streams`, no stream waits for another; with `ranks`, no rank waits for another. With
    `gpu_time`, the GPU has the time of the cause's segments for the activities that they interrupt or delay. With
    `made_by_others`, what the launching thread waits for is made by others, who do not become faster where other causes are
    removed.
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
    made_by_others: bool = False


@dataclass(frozen=True)
class StateRule:
    """The cause explains all segments of a state but those that a rule of a smaller priority number gives to another."""

    state: str
    priority: int
    basis: str = "seen"


@dataclass(frozen=True)
class CauseSpec:
    """Everything that the file of a cause says.

    `meaning` completes "the GPU does not compute because". A trace that lacks any of its `needs` cannot tell it. It is a finding
    if it costs `finding_share` of the window, or if a replay without it makes the step shorter by `finding_gain` of it. A cause
    that is `by_design` is the verdict only if there is no other finding; `by_design_in` names patterns of jobs in which that is
    so. Only with `in_fixes` it stands in the order of fixes: the program does not pay what the profiler costs. `names` are
    regular expressions for NVTX ranges whose time belongs to the cause, unless they launch half of the compute; with
    `names_proven_by`, only where some of it is in one of these states, or belongs to copies of results to the host ("download").
    `library_names` are those for ranges that a library names after what it does: these need no proof.
    The colours are for light and dark pages.
    """

    MADE_AS: ClassVar[str] = "VIEW"

    cause: str
    meaning: str
    usual_fix: str = ""
    needs: tuple[str, ...] = ()
    by_design: bool = False
    by_design_in: tuple[str, ...] = ()
    in_fixes: bool = True
    finding_share: float = USUAL_SHARE
    finding_gain: float = USUAL_SHARE
    states: tuple[StateRule, ...] = ()
    names: tuple[str, ...] = ()
    names_proven_by: tuple[str, ...] = ()
    library_names: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    remove: Removal | None = Removal()
    color: str | None = None
    color_dark: str | None = None
    sql: str = ""

    def has(self, kind: str) -> bool:
        """Whether its file has a view of this kind, one of `VIEWS`."""
        return any(view.name == f"{kind}_{self.cause}" for view in self.relations)

    @property
    def range_names(self) -> tuple[str, ...]:
        """All its regular expressions for NVTX ranges."""
        return self.names + self.library_names

    @cached_property
    def relations(self) -> list[Relation]:
        """The views in the file, with the comments on views of their kind."""
        return [replace(view, comments=self._comments(view.name)) for view in self._views()]

    def _views(self) -> list[Relation]:
        return relations.of_text(self.sql, Path(FOLDER).name)

    def _comments(self, view: str) -> str:
        meaning, columns = VIEWS[view.removesuffix(f"_{self.cause}")]
        return comments(self.MADE_AS, view, meaning.format(self.cause), columns)
