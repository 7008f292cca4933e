"""Predicts the step time without each cause, and the order in which to fix causes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import or_
from typing import NamedTuple

from gapfinder.pipeline.limits import LEAST_USUAL, MOST_USUAL
from gapfinder.replay.causes import changes, everything
from gapfinder.replay.change import Change
from gapfinder.replay.ranges import MAX_ERROR, NARROW, Range, ranges
from gapfinder.replay.replay import Replay
from gapfinder.replay.timeline import BATCH, Timeline
from gapfinder.replay.unprofiled import traced, unprofiled
from gapfinder.system.workers import workers
from gapfinder.trace import OpenTrace

SYNCHRONIZE = "sync"  # a kind of waits, as in the relation blocking_calls
MIN_REPLAYED_SHARE = 0.01  # of the window: cheaper causes are not replayed, and the order of fixes ends below it
# Fewer activities between two waits make no useful graph: item_broken has 8, a loop with a mask or a timer 83 to 124.
MIN_GRAPH_ACTIVITIES = 20
# Gains that differ by less than this share of the step, or of the larger one, count as equal: predictions differ from real fixes
# by 2 % of the step on average, and by more where whole programs change.
SAME_GAIN = NARROW
SAME_SHARE = 0.1
# A wait comes before what a graph removes where it takes at least this share of its time. item_broken's waits take 118 % of what
# its launches take, and are the fault; those of a solver and of Bayesian optimization, two real programs, 27 % and 14 %: there,
# launches cost nearly all of the time, with or without the waits.
WAITS_FIRST = 0.5


@dataclass(frozen=True)
class FrequentWaits:
    """Waits for the GPU come too often for CUDA graphs: causes removed by a graph, and causes whose removal removes the waits."""

    graphs: frozenset[str]
    waits: frozenset[str]

    def before(self, cause: str, lost: Mapping[str, float]) -> list[str]:
        """The waits that come before a cause, if a graph removes that: no graph can hold a wait.

        `lost` is what each cause costs, the cause itself too, in any unit. Waits that cost too little do not come before it.
        """
        if cause not in self.graphs:
            return []
        return [wait for wait, cost in lost.items() if wait in self.waits and cost >= WAITS_FIRST * lost[cause]]


@dataclass(frozen=True)
class Predictions:
    """Predicted times of a step, in ns.

    `step_ns` is the step without each cause. `fixes` are causes in the order of fixes, with the step without each and all before
    it. `floor_ns` is the step with the GPU's work alone; the collectives of a lone rank belong to it, as long as recorded.
    `unprofiled_ns` is the range of the step without the profiler. `error` is the difference between the unchanged replay and the
    measured step, as a share of it; None if nothing was replayed. `frequent_waits` is set if waits for the GPU come too often for
    CUDA graphs. `held_by` is the cause that a step still waits for, whatever else is removed: batches that are not ready earlier.
    `ranges` are of causes that no replay of several steps removes; where one is narrow, `step_ns` has its high end. `traced` are
    the causes that tracing adds to, because it slows launches, with the largest share of the step that this may be. Where the
    replayed steps are much longer or shorter than the mean, there is no order of fixes and no floor.
    """

    error: float | None = None
    step_ns: dict[str, int] = field(default_factory=dict)
    fixes: list[tuple[str, int]] = field(default_factory=list)
    floor_ns: int | None = None
    unprofiled_ns: tuple[int, int] | None = None
    frequent_waits: FrequentWaits | None = None
    held_by: str | None = None
    ranges: dict[str, Range] = field(default_factory=dict)
    traced: dict[str, float] = field(default_factory=dict)


def predict(trace: OpenTrace, timeline: Timeline | None, step_ns: float) -> Predictions:
    """Replay a timeline unchanged, and without each cause that costs at least 1 % of it. `step_ns` is the measured step.

    A cause that costs at least 3 % and cannot be replayed has a range, or a number where its ends hardly differ.
    """
    found = _predicted(trace, timeline, step_ns)
    every = ranges(trace, found.step_ns, found.error, step_ns)
    numbers = {cause: number_ns for cause, one in every.items() if (number_ns := one.number_ns(step_ns)) is not None}
    return replace(found, step_ns=found.step_ns | numbers, ranges=every)


def _predicted(trace: OpenTrace, timeline: Timeline | None, step_ns: float) -> Predictions:
    if timeline is None:
        return Predictions()
    with workers(1) as pool:  # DuckDB answers queries while Python prepares the replay
        changes_job = pool.submit(changes, trace, timeline)
        causes_job = pool.submit(_replayed_causes, trace)
        events_job = pool.submit(traced, trace, timeline.window)
        replay = Replay(timeline)
    if abs(replay.error) > MAX_ERROR:
        return Predictions(replay.error)
    change_of = changes_job.result()
    costs = {cause: cost for cause, cost in causes_job.result().items() if cause in change_of}
    alone = {cause: replay.length_ns(change_of[cause]) for cause in costs}

    step_of = {
        cause: round(step_ns - replay.saved_ns(replay.unchanged_ns, length_ns) * costs[cause].ratio)
        for cause, length_ns in alone.items()
    }
    frequent = frequent_waits(timeline, change_of)
    held_by = _held_by(trace) if any(call.kind == BATCH for call in timeline.calls) else None
    if not LEAST_USUAL <= timeline.step_ns / step_ns <= MOST_USUAL:  # shares of the replayed steps say nothing of the mean step
        return Predictions(replay.error, step_of, frequent_waits=frequent, held_by=held_by)
    fixable = {cause: length_ns for cause, length_ns in alone.items() if trace.config.causes[cause].in_fixes}
    unpaid = reduce(or_, (change_of[cause] for cause in alone.keys() - fixable.keys()), Change())
    shortest, longest = unprofiled(replay, events_job.result(), unpaid)
    paid_ns = replay.unchanged_ns if len(fixable) == len(alone) else replay.length_ns(unpaid)
    traced_causes = dict.fromkeys(_graphs(change_of), (paid_ns - shortest) / replay.unchanged_ns)
    scale = step_ns / replay.unchanged_ns
    # where steps differ, the replayed ones may compute less than the mean step does; and no fix goes below the floor
    computed_ns = trace.tuples("SELECT max(compute_ns / window_ns) FROM devices")[0][0] * step_ns
    least_ns = min(step_of.values(), default=step_ns)
    floor_ns = min(max(replay.length_ns(everything(change_of)) * scale, computed_ns), least_ns)
    fixes, last_ns, left_ns = [], replay.unchanged_ns, step_ns
    shares = {cause: cost.share for cause, cost in costs.items()}
    for cause, length_ns in _order(replay, change_of, fixable, shares, frequent, traced_causes):
        left_ns = max(floor_ns, left_ns - replay.saved_ns(last_ns, length_ns) * costs[cause].ratio)
        last_ns = length_ns
        fixes.append((cause, round(left_ns)))
    return Predictions(
        replay.error,
        step_of,
        fixes,
        round(floor_ns),
        (round(shortest * scale), round(longest * scale)),
        frequent,
        held_by,
        traced=traced_causes,
    )


def _held_by(trace: OpenTrace) -> str:
    """The cause of the waits for batches; of several, the one that takes the longest."""
    ((cause,),) = trace.tuples("SELECT cause FROM replay_batches GROUP BY cause ORDER BY sum(end_ns - start_ns) DESC LIMIT 1")
    return str(cause)


def frequent_waits(timeline: Timeline, change_of: Mapping[str, Change]) -> FrequentWaits | None:
    """Set if waits such as synchronize calls come so often that no useful graph could be captured between two of them."""
    waits = frozenset(cause for cause, change in change_of.items() if SYNCHRONIZE in change.without_waits)
    kinds = {kind for cause in waits for kind in change_of[cause].without_waits}
    times = sum(call.kind in kinds for call in timeline.calls)
    if times * MIN_GRAPH_ACTIVITIES <= len(timeline.activities):
        return None
    return FrequentWaits(_graphs(change_of), waits)


def _graphs(change_of: Mapping[str, Change]) -> frozenset[str]:
    """The causes that are removed by a graph."""
    return frozenset(cause for cause, change in change_of.items() if change.as_graph)


class _Cost(NamedTuple):
    """What a cause costs: its share of the window, and the multiple of its time in a replayed step that a step of that costs."""

    share: float
    ratio: float


def _replayed_causes(trace: OpenTrace) -> dict[str, _Cost]:
    """The causes that can be replayed and cost at least `MIN_REPLAYED_SHARE` of the window, without what is lost by design."""
    rows = trace.id_rows("SELECT * FROM replay_causes")
    return {
        row["cause"]: _Cost(row["worked_share"], row["lost_ratio"]) for row in rows if row["worked_share"] >= MIN_REPLAYED_SHARE
    }


def least_equal(gain: float) -> float:
    """The least gain that counts as equal to this one."""
    return gain - max(SAME_GAIN, SAME_SHARE * gain)


def best_of(causes: Iterable[str], gains: dict[str, float], most_lost: list[str], traced: Mapping[str, float]) -> str:
    """The cause with the largest gain; of causes that gain about as much, the first in `most_lost`.

    A gain is about as much as the largest if it counts as equal (`least_equal`), or if it is smaller by no more than what tracing
    may have added to the largest (`Predictions.traced`).
    """
    causes = list(causes)
    best = max(causes, key=gains.__getitem__)
    least = min(least_equal(gains[best]), gains[best] - traced.get(best, 0))
    return min((cause for cause in causes if gains[cause] >= least), key=most_lost.index)


def _order(
    replay: Replay,
    change_of: dict[str, Change],
    alone: dict[str, float],
    shares: Mapping[str, float],
    frequent: FrequentWaits | None,
    traced_causes: Mapping[str, float],
) -> list[tuple[str, float]]:
    """The order of fixes with the replayed length after each, ns: first the cause with the largest gain, then again without it.

    `alone` are the lengths without each cause, and `shares` what it costs of the window. The order ends if no cause gains another
    `MIN_REPLAYED_SHARE`.
    """
    order: list[tuple[str, float]] = []
    fixed, current_ns, lengths = Change(), replay.unchanged_ns, dict(alone)
    while lengths:
        gaining = {c for c, length_ns in lengths.items() if length_ns <= current_ns - MIN_REPLAYED_SHARE * replay.unchanged_ns}
        if not gaining:
            break
        gains = {cause: (current_ns - length_ns) / replay.unchanged_ns for cause, length_ns in lengths.items()}
        best = best_of(gaining, gains, list(alone), traced_causes)
        if frequent and (waits := frequent.before(best, {cause: shares[cause] for cause in gaining})):
            best = min(waits, key=lengths.__getitem__)
        current_ns = lengths.pop(best)
        order.append((best, current_ns))
        fixed |= change_of[best]
        lengths = {cause: replay.length_ns(fixed | change_of[cause]) for cause in lengths}
    return order
