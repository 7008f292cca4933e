"""Predicts the step time of a job without each cause, by a replay across ranks."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from gapfinder.diagnosis.device import lost_by_cause
from gapfinder.diagnosis.job import BETWEEN_RANKS, COMMUNICATION, RANK_IMBALANCE, LateRank, RankLedger
from gapfinder.job.contention import relieved
from gapfinder.job.database import JobDatabase
from gapfinder.job.match import Alignment
from gapfinder.job.rank import Rank
from gapfinder.job.replay import JobReplay
from gapfinder.pipeline.limits import LEAST_USUAL, MOST_USUAL
from gapfinder.replay.causes import slowed
from gapfinder.replay.change import Change
from gapfinder.replay.predict import MIN_REPLAYED_SHARE, FrequentWaits, frequent_waits
from gapfinder.replay.ranges import MAX_ERROR

MAX_ALONE = 8  # ranks that are replayed without their lateness one by one: each takes as long as a replay of all


@dataclass(frozen=True)
class JobPredictions:
    """Predicted times of a step of the job, ns.

    - `error`: the difference between the unchanged replay and the measured step, as a share of it; None if nothing was replayed.
    - `step_ns`: the step without each cause on all ranks. Without rank_imbalance, the late rank does not do what it does instead
      of the others' work, or all ranks do not, if the late rank changes. Without communication, all of it overlaps compute, and
      slows it.
    - `evened_ns`: the step if the late rank alone is without the main cause of its lateness. If the late rank changes, what
      each rank alone saves is added up; of many ranks, of those that are late most often.
    - `unusual`: the causes that cost more or less in the replayed steps than in all. Their predictions only help to choose the
      verdict.
    - `frequent_waits`: set if waits for the GPU come too often for CUDA graphs on each rank.
    """

    error: float | None = None
    step_ns: Mapping[str, int] = field(default_factory=dict)
    evened_ns: int | None = None
    unusual: frozenset[str] = frozenset()
    frequent_waits: FrequentWaits | None = None

    def told_ns(self, cause: str) -> int | None:
        """The step without a cause, if the replayed steps tell it."""
        return None if cause in self.unusual else self.step_ns.get(cause)

    def gains(self, step_ns: float) -> dict[str, float]:
        """The share of a step of `step_ns` that is saved without each cause; for rank_imbalance, on late ranks alone."""
        gains = {cause: 1 - predicted_ns / step_ns for cause, predicted_ns in self.step_ns.items()}
        return gains if self.evened_ns is None else gains | {RANK_IMBALANCE: 1 - self.evened_ns / step_ns}


def predict(
    ranks: Sequence[Rank],
    alignment: Alignment,
    database: JobDatabase,
    ledgers: Sequence[RankLedger],
    late_rank: LateRank | None,
    step_ns: float,
    designed: Collection[str],
) -> JobPredictions:
    """Replay the job unchanged, and without each cause that costs at least 1 % of it. `step_ns` is the measured step.

    Communication that is by design (`designed`) cannot be overlapped, because the next kernel needs its result.
    """
    replay = JobReplay.of(ranks, alignment)
    if replay is None:
        return JobPredictions()
    if abs(replay.error) > MAX_ERROR:
        return JobPredictions(replay.error)
    scale = step_ns / replay.step_ns({})
    window_ns = sum(ledger.window_ns for ledger in ledgers)
    costly = {cause: ns for cause, ns in lost_by_cause(ledgers).items() if ns >= MIN_REPLAYED_SHARE * window_ns}
    predicted = {}
    without_waiting = relieved(ranks, alignment) if late_rank else {}
    for cause in sorted(costly.keys() - set(BETWEEN_RANKS)):
        changes = {rank.number: rank.changes[cause] for rank in ranks if cause in rank.changes}
        if changes:
            relief = without_waiting if late_rank and late_rank.cause == cause else {}
            predicted[cause] = round(replay.step_ns(_with(changes, relief)) * scale)
    if COMMUNICATION in costly.keys() - set(designed):
        hidden_ns = replay.step_ns({ledger.rank: _hidden(ledger) for ledger in ledgers}) * scale
        computing_ns = step_ns * max(ledger.compute_share for ledger in ledgers)
        lowest_ns = max(hidden_ns, computing_ns, replay.moving_ns * scale)
        predicted[COMMUNICATION] = round(min(step_ns, lowest_ns))  # if a late rank is the limit, nothing is saved
    evened_ns = None
    if late_rank and (main := _without_lateness(ranks, ledgers, late_rank, {late_rank.cause})):
        relief = without_waiting if late_rank.cause != "compute" else {}  # evenly spread work has its own factors
        predicted[RANK_IMBALANCE] = evened_ns = round(replay.step_ns(_with(main, relief)) * scale)
        if late_rank.cause != "compute" and late_rank.causes != {late_rank.cause}:
            all_of_it = _without_lateness(ranks, ledgers, late_rank, late_rank.causes) or main
            predicted[RANK_IMBALANCE] = min(evened_ns, round(replay.step_ns(_with(all_of_it, relief)) * scale))
        often = sorted(late_rank.steps.keys() & main.keys(), key=lambda rank: -late_rank.steps[rank])[:MAX_ALONE]
        if late_rank.rank is None and often:
            alone = (replay.step_ns(_with({rank: main[rank]}, relief)) * scale for rank in often)
            told = sum(late_rank.steps[rank] for rank in often) / sum(late_rank.steps.values())
            evened_ns = round(step_ns - sum(step_ns - ns for ns in alone) / told)
    unusual = {cause for cause in predicted.keys() - set(BETWEEN_RANKS) if not _costs_as_usual(ranks, cause)}
    if not _waits_as_usual(database, replay):
        unusual.add(RANK_IMBALANCE)
    return JobPredictions(replay.error, predicted, evened_ns, frozenset(unusual), _frequent_waits(ranks))


def _hidden(ledger: RankLedger) -> Change:
    slowed_by = {ledger.gpu: slowed(ledger.causes.get(COMMUNICATION, 0), ledger.compute_ns)}
    return Change(overlapped=frozenset({COMMUNICATION}), compute_factors=slowed_by)


def _frequent_waits(ranks: Sequence[Rank]) -> FrequentWaits | None:
    """Set if the waits come too often on each rank. Which causes these are is the same on all of them."""
    found = [frequent_waits(rank.timeline, rank.changes) for rank in ranks if rank.timeline]
    return found[0] if found and all(found) else None


def _costs_as_usual(ranks: Sequence[Rank], cause: str) -> bool:
    """Whether a cause costs the ranks about as much in the replayed steps as in all."""
    losses = [rank.losses[cause] for rank in ranks if cause in rank.losses]
    return _is_usual(sum(replayed_ns for replayed_ns, _ in losses), sum(usual_ns for _, usual_ns in losses))


def _waits_as_usual(database: JobDatabase, replay: JobReplay) -> bool:
    """Whether ranks wait about as long in the replayed steps as in all."""
    replayed = f"FILTER (step BETWEEN {replay.step_numbers[0]} AND {replay.step_numbers[-1]})"
    (row,) = database.rows(
        f"SELECT sum(waiting_ns) {replayed} / count(*) {replayed} AS replayed, sum(waiting_ns) / count(*) AS usual "
        "FROM step_lengths LEFT JOIN step_waits USING (step)"
    )
    return _is_usual(row["replayed"] or 0, row["usual"] or 0)


def _is_usual(replayed: float, usual: float) -> bool:
    return LEAST_USUAL * usual <= replayed <= MOST_USUAL * usual


def _with(changes: Mapping[int, Change], factors: Mapping[int, Mapping[int, float]]) -> dict[int, Change]:
    """The changes of each rank, combined with factors of its activities."""
    ranks = changes.keys() | factors.keys()
    return {rank: changes.get(rank, Change()) | Change(activity_factors=factors.get(rank, {})) for rank in ranks}


def _without_lateness(
    ranks: Sequence[Rank], ledgers: Sequence[RankLedger], late_rank: LateRank, causes: Collection[str]
) -> dict[int, Change] | None:
    """The change of the late rank (of all ranks, if it changes) without some causes. None if it cannot be replayed.

    Where it computes instead, the change is that of all ranks, among which the compute is spread evenly.
    """
    if late_rank.cause != "compute":
        found: dict[int, Change] = {}
        for rank in (rank for rank in ranks if late_rank.rank in (None, rank.number)):
            for cause in sorted(rank.changes.keys() & causes):
                found[rank.number] = found.get(rank.number, Change()) | rank.changes[cause]
        return found or None
    if late_rank.rank is None:
        return None
    computed_ns = {ledger.rank: ledger.compute_ns for ledger in ledgers}
    mean_ns = sum(computed_ns.values()) / len(ledgers)
    changes = {}
    for rank in (rank for rank in ranks if rank.number in computed_ns):
        activities = rank.timeline.activities if rank.timeline else []
        factors = dict.fromkeys(
            (activity.activity_id for activity in activities if activity.kind == "compute"),
            mean_ns / max(1, computed_ns[rank.number]),
        )
        changes[rank.number] = Change(activity_factors=factors)
    return changes
