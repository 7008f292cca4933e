"""How fast data moved between ranks, and whether compute hid it."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import median

from gapfinder.diagnosis.job import RankStreams, Transfer
from gapfinder.job.database import JobDatabase
from gapfinder.job.match import Alignment, Member
from gapfinder.job.rank import Rank

SEGMENTS = 8  # kinds and sizes that are told, the ones first that take the most time

# Bus bandwidth for one byte of a message each ns, with n ranks: what the links carry, whatever the number of ranks (nccl-tests,
# doc/PERFORMANCE.md). NCCL's own sizes are of one rank's message: of a gather or scatter, an n-th of the whole.
BUS: dict[str, Callable[[int], float]] = {
    "AllReduce": lambda n: 2 * (n - 1) / n,
    "AllGather": lambda n: n - 1,
    "ReduceScatter": lambda n: n - 1,
    "Broadcast": lambda _: 1.0,
    "Reduce": lambda _: 1.0,
    "SendRecv": lambda _: 1.0,
}


def transfers(alignment: Alignment) -> list[Transfer]:
    """The matched collectives by kind and size: how long data moved once all ranks had come."""
    by_match: dict[int, list[Member]] = defaultdict(list)
    for member in alignment.members:
        by_match[member.match_id].append(member)
    moved: dict[tuple[str, int | None, int], list[int]] = defaultdict(list)
    for members in by_match.values():
        size = max((member.collective.bytes for member in members if member.collective.bytes is not None), default=None)
        moving_ns = max(member.ref_end_ns for member in members) - max(member.ref_start_ns for member in members)
        moved[members[0].collective.kind, size, len(members)].append(max(0, moving_ns))
    found = [
        Transfer(kind, size, ranks, len(times), median(times), _bus(kind, size, ranks, median(times)), None)
        for (kind, size, ranks), times in moved.items()
    ]
    best = max((one.bus_gb_per_s for one in found if one.bus_gb_per_s), default=None)
    rated = [replace(one, share_of_best=one.bus_gb_per_s / best if one.bus_gb_per_s and best else None) for one in found]
    return sorted(rated, key=lambda one: -one.times * one.moving_ns)[:SEGMENTS]


def streams(job: JobDatabase, ranks: Sequence[Rank]) -> list[RankStreams]:
    """How much of its data's moving each rank hides behind compute, in the window of the job."""
    rows = {row["rank"]: row for row in job.rows("SELECT * FROM moving")}
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
    """Bytes a ns are 10^9 bytes a second."""
    return size * BUS[kind](ranks) / moving_ns if size and moving_ns and kind in BUS else None
