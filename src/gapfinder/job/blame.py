"""Charges the waiting of ranks to the rank that was late and to what it did instead, across chains of waiting ranks."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from gapfinder.diagnosis.job import RANK_IMBALANCE, Charge, LateRank, Wait
from gapfinder.job.database import JobDatabase
from gapfinder.pipeline.limits import ONE_RANK_SHARE

MIN_CHARGE_SHARE = 0.01  # of the waiting; smaller charges are not shown

Reason = tuple[int, str]  # the late rank, and the cause: what it did instead
Charges = dict[Reason, float]  # waiting, ns
Blame = dict[int, Charges]  # by step


def blame(database: JobDatabase) -> Blame:
    """The waiting of all ranks in each step, by the late rank and by what it did instead."""
    by_waiter: dict[int, dict[int, Charges]] = {}
    for row in database.rows("SELECT * FROM charges"):
        charges = by_waiter.setdefault(row["step"], {}).setdefault(row["rank"], defaultdict(float))
        charges[row["late_rank"], row["cause"]] += row["charged_ns"]
    return {step: _follow_chains(charges) for step, charges in by_waiter.items()}


def find_late_rank(
    database: JobDatabase, by_step: Blame, window_ns: int, step_ns: float, finding_share: float
) -> LateRank | None:
    """The late rank and what it did instead; None if the waiting is below `finding_share` of the window."""
    share = sum(row["waiting_ns"] for row in database.rows("SELECT * FROM step_waits")) / window_ns
    if share < finding_share:
        return None
    (with_collectives,) = database.rows("SELECT count(DISTINCT step) AS steps FROM job_steps")
    all_charges: Charges = defaultdict(float)
    late_steps: Counter[int] = Counter()
    for charges in by_step.values():
        late_steps[_largest(_by_rank(charges))] += 1
        for reason, ns in charges.items():
            all_charges[reason] += ns
    total = sum(all_charges.values())
    by_rank = _by_rank(all_charges)
    rank = _largest(by_rank)
    one_rank = by_rank[rank] >= ONE_RANK_SHARE * total
    blamed = {reason: ns for reason, ns in all_charges.items() if reason[0] == rank or not one_rank}
    cause = _main_cause(blamed)
    return LateRank(
        rank=rank if one_rank else None,
        shown_rank=_largest({late_rank: ns for (late_rank, what), ns in blamed.items() if what == cause}),
        cause=cause,
        steps=dict(sorted(late_steps.items())),
        of_steps=with_collectives["steps"],
        waiting_ns=share * step_ns,
        share=share,
        charges=[
            Charge(late_rank, what, ns / total)
            for (late_rank, what), ns in sorted(all_charges.items(), key=lambda row: -row[1])
            if ns >= MIN_CHARGE_SHARE * total
        ],
    )


def waits(database: JobDatabase, by_step: Blame) -> list[Wait]:
    """The waiting in each step, divided among the ranks that were late in it."""
    waiting_ns = {row["step"]: row["waiting_ns"] for row in database.rows("SELECT * FROM step_waits")}
    result = []
    for step, charges in by_step.items():
        total = sum(charges.values())
        for rank, ns in sorted(_by_rank(charges).items()):
            cause = _main_cause({reason: own_ns for reason, own_ns in charges.items() if reason[0] == rank})
            result.append(Wait(step, rank, cause, round(waiting_ns[step] * ns / total)))
    return sorted(result, key=lambda wait: (wait.step, wait.rank))


def _follow_chains(by_waiter: Mapping[int, Charges]) -> Charges:
    """Sum the charges of all waiting ranks.

    A late rank that itself waited passes its charge on to the ranks that it waited for.
    """
    final: Charges = defaultdict(float)
    open_charges: Charges = defaultdict(float)
    for charges in by_waiter.values():
        for reason, ns in charges.items():
            open_charges[reason] += ns
    for _ in by_waiter:
        passed_on: Charges = defaultdict(float)
        for (rank, cause), ns in open_charges.items():
            next_charges = by_waiter.get(rank, {}) if cause == RANK_IMBALANCE else {}
            total = sum(next_charges.values())
            for reason, part_ns in next_charges.items():
                passed_on[reason] += ns * part_ns / total
            if not total:
                final[rank, cause] += ns
        open_charges = passed_on
    for reason, ns in open_charges.items():  # ranks that wait for each other in a circle
        final[reason] += ns
    return final


def _by_rank(charges: Charges) -> dict[int, float]:
    by_rank: dict[int, float] = defaultdict(float)
    for (rank, _), ns in charges.items():
        by_rank[rank] += ns
    return by_rank


def _main_cause(charges: Charges) -> str:
    """The cause with the largest charge."""
    by_cause: dict[str, float] = defaultdict(float)
    for (_, cause), ns in charges.items():
        by_cause[cause] += ns
    return max(by_cause, key=lambda cause: by_cause[cause])


def _largest(by_rank: Mapping[int, float]) -> int:
    return max(by_rank, key=lambda rank: by_rank[rank])


def excesses(database: JobDatabase, ranks: Sequence[int]) -> dict[int, dict[str, int]]:
    """The time that each late rank spent more than the ranks that waited for it, by cause, ns. The others wait for this time."""
    result: dict[int, dict[str, int]] = {rank: {} for rank in ranks}
    for row in database.rows("SELECT * FROM late_excesses"):
        result[row["late_rank"]][row["cause"]] = row["excess_ns"]
    return result
