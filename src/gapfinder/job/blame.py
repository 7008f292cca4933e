"""From waiting to the rank that was late, and from there to what it did instead, through as many ranks as it takes."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from gapfinder.diagnosis.ranking import WORTH
from gapfinder.job.database import JobDatabase
from gapfinder.job.model import Charge, Late

ALWAYS = 0.8  # of the waiting for one rank: it is that one
MENTIONED = 0.01  # of the waiting: less is not worth a line

Blamed = tuple[int, str]  # a rank, and what it did


def late(job: JobDatabase, step_ns: float, steps: int) -> Late | None:
    """Who was late, and why; None where nobody waited long enough for a finding."""
    by_waiter: dict[int, Counter[Blamed]] = defaultdict(Counter)
    for row in job.rows("SELECT * FROM charges"):
        by_waiter[row["rank"]][row["late_rank"], row["cause"]] += row["charged_ns"]
    found = _rooted(by_waiter)
    late_steps = job.rows("SELECT * FROM late_steps WHERE waiting_ns > 0")
    total = sum(found.values())
    if not total or not late_steps:
        return None
    waiting_ns = sum(row["waiting_ns"] for row in late_steps) / steps
    if waiting_ns < WORTH * step_ns:
        return None
    by_rank: Counter[int] = Counter()
    by_cause: Counter[str] = Counter()
    for (rank, cause), ns in found.items():
        by_rank[rank] += ns
        by_cause[cause] += ns
    rank, most = by_rank.most_common(1)[0]
    alone = most >= ALWAYS * total
    cause = max(((ns, cause) for (number, cause), ns in found.items() if number == rank))[1] if alone else by_cause.most_common(1)[0][0]
    return Late(
        rank=rank if alone else None,
        cause=cause,
        steps=_last_in(late_steps),
        of_steps=steps,
        waiting_ns=waiting_ns,
        share=waiting_ns / step_ns,
        charges=[
            Charge(number, why, ns / total) for (number, why), ns in found.most_common() if ns >= MENTIONED * total
        ],
    )


def _rooted(by_waiter: Mapping[int, Mapping[Blamed, float]]) -> Counter[Blamed]:
    """A late rank that itself waited for another one passes the blame on, to where the rank that it waited for spent its time."""
    found: Counter[Blamed] = Counter()
    left: Counter[Blamed] = Counter()
    for blamed in by_waiter.values():
        left.update(blamed)
    for _ in range(len(by_waiter) + 1):
        passed: Counter[Blamed] = Counter()
        for (rank, cause), ns in left.items():
            onward = by_waiter.get(rank, {}) if cause == "rank_imbalance" else {}
            total = sum(onward.values())
            for blamed, part in onward.items():
                passed[blamed] += ns * part / total
            if not total:
                found[rank, cause] += ns
        left = passed
    found.update(left)
    return found


def _last_in(late_steps: Iterable[Mapping[str, int]]) -> dict[int, int]:
    """In how many steps each rank was the one that was waited for longest."""
    longest: dict[int, tuple[int, int]] = {}
    for row in late_steps:
        longest[row["step"]] = max(longest.get(row["step"], (0, -1)), (row["waiting_ns"], row["late_rank"]))
    return dict(sorted(Counter(rank for _, rank in longest.values()).items()))


def excesses(job: JobDatabase, ranks: Sequence[int]) -> dict[int, dict[str, int]]:
    """What each rank spent more than those that waited for it, by cause, ns: it shows as their waiting, and is not common to all."""
    found: dict[int, dict[str, int]] = {rank: {} for rank in ranks}
    for row in job.rows("SELECT * FROM late_excesses"):
        found[row["late_rank"]][row["cause"]] = row["excess_ns"]
    return found
