"""What a step of the job would take without a cause, by the replay across ranks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gapfinder.job.match import Alignment
from gapfinder.job.model import Late, RankLedger
from gapfinder.job.rank import Rank
from gapfinder.job.replay import JobReplay
from gapfinder.replay.change import Change
from gapfinder.replay.predict import TRUSTED

WORTH_A_REPLAY = 0.01  # of the window, as for a single trace
SINGLE = ("rank_imbalance", "communication")  # what a rank alone does not know of itself


@dataclass(frozen=True)
class Predictions:
    """Times of a step of the job, ns, without each cause on all ranks; without rank_imbalance: with the late rank mended.

    `error` is the unchanged replay's distance from the measured step, as a share; None where nothing was replayed.
    """

    error: float | None = None
    step_ns: Mapping[str, int] = field(default_factory=dict)

    def of(self, cause: str) -> int | None:
        """That without a cause; None where there is none."""
        return self.step_ns.get(cause)


def predict(
    ranks: Sequence[Rank], alignment: Alignment, ledgers: Sequence[RankLedger], who: Late | None, step_ns: float
) -> Predictions:
    """Replay the job unchanged, and without each cause that costs 1 % of it; `step_ns` is the measured step."""
    replay = JobReplay.of(ranks, alignment)
    if replay is None:
        return Predictions()
    if abs(replay.error) > TRUSTED:
        return Predictions(replay.error)
    scale = step_ns / replay.step_ns({})
    window_ns = sum(ledger.window_ns for ledger in ledgers)
    found = {}
    for cause in sorted({cause for ledger in ledgers for cause in ledger.causes}):
        if sum(ledger.causes.get(cause, 0) for ledger in ledgers) >= WORTH_A_REPLAY * window_ns and cause not in SINGLE:
            changes = {rank.number: rank.changes[cause] for rank in ranks if cause in rank.changes}
            if changes:
                found[cause] = round(replay.step_ns(changes) * scale)
    mended = _mended(ranks, ledgers, who) if who else None
    if mended:
        found["rank_imbalance"] = round(replay.step_ns(mended) * scale)
    return Predictions(replay.error, found)


def _mended(ranks: Sequence[Rank], ledgers: Sequence[RankLedger], who: Late) -> dict[int, Change] | None:
    """The late rank without what it does instead; all ranks where it changes. None where a replay knows no such change."""
    late = [rank for rank in ranks if who.rank in (None, rank.number)]
    if who.cause != "compute":
        return {rank.number: rank.changes[who.cause] for rank in late if who.cause in rank.changes} or None
    if who.rank is None:
        return None
    mean_ns = sum(ledger.compute_ns for ledger in ledgers) / len(ledgers)
    changes = {}
    for rank, ledger in zip(ranks, ledgers, strict=True):  # the work dealt out evenly
        ops = rank.timeline.ops if rank.timeline else []
        factors = dict.fromkeys((op.op_id for op in ops if op.kind == "compute"), mean_ns / max(1, ledger.compute_ns))
        changes[rank.number] = Change(op_factors=factors)
    return changes
