"""Predictions: for each cause that a replay can take away, the step without it."""

from dataclasses import dataclass

from gapfinder.analysis import Analysis
from gapfinder.replay.model import Change, Replay
from gapfinder.replay.timeline import Timeline

MOST_OPS = 100_000  # a second of Python; twenty steps are far fewer
WORTH_A_REPLAY = 0.01
TRUSTED = 0.05  # where the unchanged replay is further off, no prediction is made


@dataclass(frozen=True)
class Predictions:
    """`step_ns` by cause, in ns; `error` is the unchanged replay's distance from the measured step, as a share."""

    step_ns: dict[str, int]
    error: float | None


def predict(analysis: Analysis, step_ns: float) -> Predictions:
    """Replay the window unchanged, and without each cause that costs 1 % of it; `step_ns` is the measured step."""
    causes = [row["cause"] for row in analysis.rows("SELECT * FROM findings") if row["share"] >= WORTH_A_REPLAY]
    timeline = Timeline.of(analysis)
    if timeline is None or len(timeline.ops) > MOST_OPS:
        return Predictions({}, None)
    unchanged_ns = Replay(timeline, Change()).length_ns()
    error = unchanged_ns / timeline.measured_ns - 1
    if abs(error) > TRUSTED:
        return Predictions({}, error)
    removals: dict[str, list[tuple[int, int]]] = {}
    for row in analysis.rows("SELECT * FROM replay_removals"):
        removals.setdefault(row["cause"], []).append((row["start_ns"], row["end_ns"]))
    changes = {cause: change for cause, change in _changes(removals).items() if cause in causes}
    lengths = {cause: Replay(timeline, change).length_ns() for cause, change in changes.items()}
    return Predictions({cause: round(length_ns / unchanged_ns * step_ns) for cause, length_ns in lengths.items()}, error)


def _changes(removals: dict[str, list[tuple[int, int]]]) -> dict[str, Change]:
    changes = {cause: Change(removed=tuple(removed)) for cause, removed in removals.items()}
    overlapped = Change(removed=tuple(removals.get("copy", ())), without_waits=frozenset({"upload"}), without_copies=True)
    return changes | {
        "host_sync": Change(without_waits=frozenset({"sync", "read_back", "other_copy"})),
        "copy": overlapped,
        "rank_imbalance": Change(ranks_in_step=True),
        "launch_bound": Change(as_graph=True),
    }
