"""Measures how fast data moves between ranks, and how much of the movement compute hides."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import median

from gapfinder.diagnosis.job import RankStreams, Transfer
from gapfinder.job.database import JobDatabase
from gapfinder.job.match import Alignment
from gapfinder.job.rank import Rank

MAX_TRANSFERS = 8  # kinds and sizes that are shown

# Bus bandwidth divided by (size of one rank's message / time), for n ranks. The bus bandwidth is what the links carry, so it does
# not depend on n (nccl-tests, doc/PERFORMANCE.md). NCCL records the size of one rank's message: for a gather or scatter, 1/n.
BUS_FACTORS: dict[str, Callable[[int], float]] = {
    "AllReduce": lambda n: 2 * (n - 1) / n,
    "AllGather": lambda n: n - 1,
    "ReduceScatter": lambda n: n - 1,
    "Broadcast": lambda _: 1.0,
    "Reduce": lambda _: 1.0,
    "SendRecv": lambda _: 1.0,
}


def transfers(alignment: Alignment) -> list[Transfer]:
    """The matched collectives by kind and size, longest in total first: how long data moved after all ranks had arrived.

    As in the ledgers, those that end in the window of each rank.
    """
    moved: dict[tuple[str, int | None, int], list[int]] = defaultdict(list)
    for members in alignment.matches.values():
        if not all(member.collective.in_window for member in members):
            continue
        size = max((member.collective.bytes for member in members if member.collective.bytes is not None), default=None)
        moving_ns = max(member.ref_end_ns for member in members) - max(member.ref_start_ns for member in members)
        moved[members[0].collective.kind, size, len(members)].append(max(0, moving_ns))
    result = [
        Transfer(kind, size, ranks, len(times), median(times), _bus(kind, size, ranks, median(times)), None)
        for (kind, size, ranks), times in moved.items()
    ]
    best = max((one.bus_gb_per_s for one in result if one.bus_gb_per_s), default=None)
    result = [replace(one, share_of_best=one.bus_gb_per_s / best if one.bus_gb_per_s and best else None) for one in result]
    return sorted(result, key=lambda one: -one.times * one.moving_ns)[:MAX_TRANSFERS]


def streams(database: JobDatabase, ranks: Sequence[Rank]) -> list[RankStreams]:
    """How much of the data movement each rank hides behind compute, in the window of the job."""
    sums = database.rows("SELECT rank, sum(moving_ns) AS moving_ns, sum(exposed_ns) AS exposed_ns FROM moves GROUP BY rank")
    rows = {row["rank"]: row for row in sums}
    return [
        RankStreams(
            rank.number,
            own_stream=not rank.shares_stream,
            moving_ns=rows[rank.number]["moving_ns"],
            hidden_share=max(0.0, 1 - rows[rank.number]["exposed_ns"] / max(1, rows[rank.number]["moving_ns"])),
        )
        for rank in ranks
        if rank.number in rows
    ]


def _bus(kind: str, size: int | None, ranks: int, moving_ns: float) -> float | None:
    """The bus bandwidth in 10^9 bytes per second, which is bytes per ns; None if it is unknown."""
    return size * BUS_FACTORS[kind](ranks) / moving_ns if size and moving_ns and kind in BUS_FACTORS else None
