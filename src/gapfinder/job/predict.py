"""What a step of the job would take without a cause, by the replay across ranks."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from gapfinder.diagnosis.job import BETWEEN_RANKS, COMMUNICATION, RANK_IMBALANCE, LateRank, RankLedger
from gapfinder.job.contention import relieved
from gapfinder.job.match import Alignment
from gapfinder.job.rank import Rank
from gapfinder.job.replay import JobReplay
from gapfinder.replay.causes import SLOWDOWN
from gapfinder.replay.change import Change
from gapfinder.replay.predict import MAX_ERROR

MIN_REPLAYED_SHARE = 0.01  # of the window, as for a single trace
HIDDEN = Change(overlapped=frozenset({COMMUNICATION}))


@dataclass(frozen=True)
class JobPredictions:
    """Times of a step of the job, ns, without each cause on all ranks.

    Without rank_imbalance: with the late rank mended. Without communication: with all of it behind compute.

    `error` is the unchanged replay's distance from the measured step, as a share; None where nothing was replayed.
    """

    error: float | None = None
    step_ns: Mapping[str, int] = field(default_factory=dict)

    def of(self, cause: str) -> int | None:
        """That without a cause; None where there is none."""
        return self.step_ns.get(cause)


def predict(
    ranks: Sequence[Rank],
    alignment: Alignment,
    ledgers: Sequence[RankLedger],
    late_rank: LateRank | None,
    step_ns: float,
    designed: Collection[str],
) -> JobPredictions:
    """Replay the job unchanged, and without each cause that costs 1 % of it; `step_ns` is the measured step.

    Communication that is so by design (`designed`) cannot be hidden: what computes next needs its result.
    """
    replay = JobReplay.of(ranks, alignment)
    if replay is None:
        return JobPredictions()
    if abs(replay.error) > MAX_ERROR:
        return JobPredictions(replay.error)
    scale = step_ns / replay.step_ns({})
    window_ns = sum(ledger.window_ns for ledger in ledgers)
    lost = {cause: sum(ledger.causes.get(cause, 0) for ledger in ledgers) for ledger in ledgers for cause in ledger.causes}
    costly = {cause: ns for cause, ns in lost.items() if ns >= MIN_REPLAYED_SHARE * window_ns}
    found = {}
    without_waiting = relieved(ranks, alignment) if late_rank else {}
    for cause in sorted(costly.keys() - set(BETWEEN_RANKS)):
        changes = {rank.number: rank.changes[cause] for rank in ranks if cause in rank.changes}
        if changes:
            relief = without_waiting if late_rank and late_rank.cause == cause else {}
            found[cause] = round(replay.step_ns(_with(changes, relief)) * scale)
    if COMMUNICATION in costly.keys() - set(designed):
        hidden_ns = replay.step_ns({rank.number: HIDDEN for rank in ranks}) * scale
        slowed_ns = SLOWDOWN * step_ns * costly[COMMUNICATION] / window_ns
        computing_ns = step_ns * max(ledger.compute_ns / ledger.window_ns for ledger in ledgers)
        reached_ns = max(hidden_ns + slowed_ns, computing_ns, replay.moving_ns * scale)
        found[COMMUNICATION] = round(min(step_ns, reached_ns))  # a step that waits for a late rank wins nothing
    mended = _mended(ranks, ledgers, late_rank) if late_rank else None
    if mended:
        relief = without_waiting if late_rank and late_rank.cause != "compute" else {}  # work dealt out evenly has factors of its own
        found[RANK_IMBALANCE] = round(replay.step_ns(_with(mended, relief)) * scale)
    return JobPredictions(replay.error, found)


def _with(changes: Mapping[int, Change], factors: Mapping[int, Mapping[int, float]]) -> dict[int, Change]:
    """The changes of each rank, and with them these factors of its activities."""
    ranks = changes.keys() | factors.keys()
    return {rank: changes.get(rank, Change()) | Change(activity_factors=factors.get(rank, {})) for rank in ranks}


def _mended(ranks: Sequence[Rank], ledgers: Sequence[RankLedger], late_rank: LateRank) -> dict[int, Change] | None:
    """The late rank without what it does instead; all ranks where it changes. None where a replay knows no such change."""
    late = [rank for rank in ranks if late_rank.rank in (None, rank.number)]
    if late_rank.cause != "compute":
        return {rank.number: rank.changes[late_rank.cause] for rank in late if late_rank.cause in rank.changes} or None
    if late_rank.rank is None:
        return None
    mean_ns = sum(ledger.compute_ns for ledger in ledgers) / len(ledgers)
    changes = {}
    for rank, ledger in zip(ranks, ledgers, strict=True):  # the work dealt out evenly
        activities = rank.timeline.activities if rank.timeline else []
        factors = dict.fromkeys(
            (activity.activity_id for activity in activities if activity.kind == "compute"), mean_ns / max(1, ledger.compute_ns)
        )
        changes[rank.number] = Change(activity_factors=factors)
    return changes
