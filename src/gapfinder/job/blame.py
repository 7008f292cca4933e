"""From waiting to the rank that was late, and from there to what it did instead, through as many ranks as it takes."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from gapfinder.diagnosis.job import RANK_IMBALANCE, Charge, Late, Wait
from gapfinder.job.database import JobDatabase

ALWAYS = 0.8  # of the waiting for one rank: it is that one
MENTIONED = 0.01  # of the waiting: less is not worth a line

Blamed = tuple[int, str]  # a rank, and what it did
Charged = dict[Blamed, float]  # waiting, ns
Blame = dict[int, Charged]  # by step


def blame(job: JobDatabase) -> Blame:
    """The waiting of all ranks in each step, by who was late in the end and what that rank did instead."""
    charges: dict[int, dict[int, Charged]] = {}
    for row in job.rows("SELECT * FROM charges"):
        charged = charges.setdefault(row["step"], {}).setdefault(row["rank"], defaultdict(float))
        charged[row["late_rank"], row["cause"]] += row["charged_ns"]
    return {step: _rooted(by_waiter) for step, by_waiter in charges.items()}


def late(job: JobDatabase, by_step: Blame, step_ns: float, steps: int, finding_share: float) -> Late | None:
    """Who was late, and why; None where nobody waited long enough for a finding."""
    waiting_ns = sum(row["waiting_ns"] for row in job.rows("SELECT * FROM step_waits")) / steps
    if waiting_ns < finding_share * step_ns:
        return None
    found: Charged = defaultdict(float)
    last: Counter[int] = Counter()
    for rooted in by_step.values():
        last[_most(_by_rank(rooted))] += 1
        for blamed, ns in rooted.items():
            found[blamed] += ns
    total = sum(found.values())
    by_rank = _by_rank(found)
    rank = _most(by_rank)
    alone = by_rank[rank] >= ALWAYS * total
    return Late(
        rank=rank if alone else None,
        cause=_mostly({blamed: ns for blamed, ns in found.items() if blamed[0] == rank or not alone}),
        steps=dict(sorted(last.items())),
        of_steps=steps,
        waiting_ns=waiting_ns,
        share=waiting_ns / step_ns,
        charges=[
            Charge(number, why, ns / total)
            for (number, why), ns in sorted(found.items(), key=lambda row: -row[1])
            if ns >= MENTIONED * total
        ],
    )


def waits(job: JobDatabase, by_step: Blame) -> list[Wait]:
    """What waiting costs each step, shared out to the ranks that were late in it."""
    places = {row["step"]: place for place, row in enumerate(job.rows("SELECT * FROM step_lengths"))}
    waiting = {row["step"]: row["waiting_ns"] for row in job.rows("SELECT * FROM step_waits")}
    found = []
    for step, rooted in by_step.items():
        total = sum(rooted.values())
        for rank, ns in sorted(_by_rank(rooted).items()):
            cause = _mostly({blamed: own for blamed, own in rooted.items() if blamed[0] == rank})
            found.append(Wait(places[step], rank, cause, round(waiting[step] * ns / total)))
    return sorted(found, key=lambda wait: (wait.step, wait.rank))


def _rooted(by_waiter: Mapping[int, Charged]) -> Charged:
    """A late rank that itself waited for another one passes the blame on, to where the rank that it waited for spent its time."""
    found: Charged = defaultdict(float)
    left: Charged = defaultdict(float)
    for charged in by_waiter.values():
        for blamed, ns in charged.items():
            left[blamed] += ns
    for _ in by_waiter:
        passed: Charged = defaultdict(float)
        for (rank, cause), ns in left.items():
            onward = by_waiter.get(rank, {}) if cause == RANK_IMBALANCE else {}
            total = sum(onward.values())
            for blamed, part in onward.items():
                passed[blamed] += ns * part / total
            if not total:
                found[rank, cause] += ns
        left = passed
    for blamed, ns in left.items():  # ranks that wait for each other in a circle
        found[blamed] += ns
    return found


def _by_rank(charged: Charged) -> dict[int, float]:
    found: dict[int, float] = defaultdict(float)
    for (rank, _), ns in charged.items():
        found[rank] += ns
    return found


def _mostly(charged: Charged) -> str:
    """The cause of most of it."""
    by_cause: dict[str, float] = defaultdict(float)
    for (_, cause), ns in charged.items():
        by_cause[cause] += ns
    return max(by_cause, key=lambda cause: by_cause[cause])


def _most(by_rank: Mapping[int, float]) -> int:
    return max(by_rank, key=lambda rank: by_rank[rank])


def excesses(job: JobDatabase, ranks: Sequence[int]) -> dict[int, dict[str, int]]:
    """What each rank spent more than those that waited for it, by cause, ns: it shows as their waiting."""
    found: dict[int, dict[str, int]] = {rank: {} for rank in ranks}
    for row in job.rows("SELECT * FROM late_excesses"):
        found[row["late_rank"]][row["cause"]] = row["excess_ns"]
    return found
