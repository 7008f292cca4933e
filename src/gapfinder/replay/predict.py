"""Predictions: the step without each cause that a replay can take away, and in which order to fix them."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from gapfinder.replay.causes import changes, everything
from gapfinder.replay.change import Change
from gapfinder.replay.replay import Replay
from gapfinder.replay.timeline import Timeline
from gapfinder.replay.unprofiled import traced, unprofiled
from gapfinder.trace import OpenTrace as Trace

SYNCHRONIZE = "sync"  # a kind of waits, as in blocking_calls
WORTH_A_REPLAY = 0.01  # of the window: causes that cost less are not replayed, and fixes that win less are none
GRAPH_ACTIVITIES = 20  # fewer between two waits make no graph: item_broken has 8, a loop with a mask or a timer 83 to 124
ALIKE = 0.02  # of the step: as far as predictions are off real fixes on average
TRUSTED = 0.05  # where the unchanged replay is further off, no prediction is made


@dataclass(frozen=True)
class Interrupted:
    """The causes that are removed as a graph, and those whose removal first takes away the waits that interrupt one."""

    graphs: frozenset[str]
    waits: frozenset[str]


@dataclass(frozen=True)
class Predictions:
    """Times of a step, ns.

    `step_ns` is without each cause, `fixes` without each and all before it, `floor_ns` of the GPU's work alone; without the
    profiler it lies in `unprofiled_ns`. `error` is the unchanged replay's distance from the measured step, as a share; None where
    nothing was replayed. `interrupted` is there where waits for the GPU leave no room for graphs.
    """

    error: float | None = None
    step_ns: dict[str, int] = field(default_factory=dict)
    fixes: list[tuple[str, int]] = field(default_factory=list)
    floor_ns: int | None = None
    unprofiled_ns: tuple[int, int] | None = None
    interrupted: Interrupted | None = None


def replayable(trace: Trace) -> Replay | None:
    """The replay of a trace; None where no launches are known, or too many."""
    timeline = Timeline.of(trace)
    return Replay(timeline) if timeline else None


def predict(trace: Trace, timeline: Timeline | None, step_ns: float) -> Predictions:
    """Replay a timeline unchanged, and without the causes that cost 1 % of it; `step_ns` is the measured step. None: nothing."""
    if timeline is None:
        return Predictions()
    with ThreadPoolExecutor(1) as pool:  # DuckDB answers while Python makes the replay ready
        mended = pool.submit(changes, trace, timeline)
        costly = pool.submit(_costly, trace)
        events = pool.submit(traced, trace, timeline.part)
        replay = Replay(timeline)
    if abs(replay.error) > TRUSTED:
        return Predictions(replay.error)
    known = mended.result()
    alone = {cause: replay.length_ns(known[cause]) for cause in costly.result() if cause in known}
    interrupted = _interrupted(replay, known)
    shortest, longest = unprofiled(replay, events.result())
    scale = step_ns / replay.unchanged_ns
    return Predictions(
        replay.error,
        {cause: round(length_ns * scale) for cause, length_ns in alone.items()},
        [(cause, round(length_ns * scale)) for cause, length_ns in _order(replay, known, alone, interrupted)],
        round(replay.length_ns(everything(known)) * scale),
        (round(shortest * scale), round(longest * scale)),
        interrupted,
    )


def _interrupted(replay: Replay, known: dict[str, Change]) -> Interrupted | None:
    """Whether synchronize calls and the like come so often that no graph could be captured between two."""
    waits = frozenset(cause for cause, change in known.items() if SYNCHRONIZE in change.without_waits)
    kinds = {kind for cause in waits for kind in known[cause].without_waits}
    times = sum(call.kind in kinds for call in replay.timeline.calls)
    if times * GRAPH_ACTIVITIES <= len(replay.timeline.activities):
        return None
    return Interrupted(frozenset(cause for cause, change in known.items() if change.as_graph), waits)


def _costly(trace: Trace) -> list[str]:
    """Causes that cost enough to be replayed, and can be."""
    return [row["cause"] for row in trace.facts("SELECT * FROM replay_causes") if row["share"] >= WORTH_A_REPLAY]


def best_of(causes: Iterable[str], gains: dict[str, float], most_lost: list[str]) -> str:
    """The cause that wins most; of those that win as much, as far as a replay can tell, the first of `most_lost`."""
    causes = list(causes)
    most = max(gains[cause] for cause in causes)
    return min((cause for cause in causes if gains[cause] >= most - ALIKE), key=most_lost.index)


def _order(
    replay: Replay, known: dict[str, Change], alone: dict[str, float], interrupted: Interrupted | None
) -> list[tuple[str, float]]:
    """The cause that wins most, then the one that wins most without it, until none wins 1 % more; and what is then left."""
    order: list[tuple[str, float]] = []
    done, reached_ns, lengths = Change(), replay.unchanged_ns, dict(alone)
    while lengths:
        won = {cause for cause, length_ns in lengths.items() if length_ns <= reached_ns - WORTH_A_REPLAY * replay.unchanged_ns}
        if not won:
            break
        best = best_of(won, {cause: -length_ns / replay.unchanged_ns for cause, length_ns in lengths.items()}, list(alone))
        if interrupted and best in interrupted.graphs and won & interrupted.waits:
            best = min(won & interrupted.waits, key=lengths.__getitem__)
        reached_ns = lengths.pop(best)
        order.append((best, reached_ns))
        done |= known[best]
        lengths = {cause: replay.length_ns(done | known[cause]) for cause in lengths}
    return order
