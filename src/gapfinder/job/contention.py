"""What compute would take without a collective that waits beside it: its kernel spins on multiprocessors that compute lacks."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import islice, takewhile
from statistics import median

from gapfinder.job.match import Alignment, Member
from gapfinder.job.rank import Rank
from gapfinder.replay.intervals import Interval, merged
from gapfinder.replay.timeline import Op

MOSTLY = 0.5  # of an op beside a waiting collective: it is slowed by that


def relieved(ranks: Sequence[Rank], alignment: Alignment) -> dict[int, dict[int, float]]:
    """Factors for the ops of each rank that ran beside its waiting, by op_id: what they take where they ran beside none.

    That is known from other ranks: after the same collective, the op at the same place in the order of launches is the same,
    where these ranks launch the same until the next one. Of ops that differ nothing is known.
    """
    own: dict[int, list[Member]] = {rank.number: [] for rank in ranks}
    all_arrived_ns: dict[int, int] = {}  # by collective, on the clock of the first rank
    for member in alignment.members:
        own[member.rank].append(member)
        all_arrived_ns[member.match_id] = max(member.ref_start_ns, all_arrived_ns.get(member.match_id, member.ref_start_ns))
    followers: dict[int, dict[int, list[Op]]] = {}
    for rank in ranks:
        for match_id, ops in _followers(rank, own[rank.number]).items():
            followers.setdefault(match_id, {})[rank.number] = ops
    waiting = {number: _waiting(members, all_arrived_ns) for number, members in own.items()}
    factors: dict[int, dict[int, float]] = {rank.number: {} for rank in ranks}
    for same in followers.values():
        if len({tuple((op.kind, op.stream) for op in ops) for ops in same.values()}) > 1:
            continue
        beside = {number: _beside(ops, waiting[number]) for number, ops in same.items()}
        for place in range(len(next(iter(same.values())))):
            lengths = {number: ops[place].end_ns - ops[place].start_ns for number, ops in same.items()}
            free = [ns for number, ns in lengths.items() if place not in beside[number]]
            alone_ns = median(free) if free else max(lengths.values())
            for number, ns in lengths.items():
                op = same[number][place]
                if op.kind == "compute" and alone_ns < ns and beside[number].get(place, 0) >= MOSTLY * ns:
                    factors[number][op.op_id] = alone_ns / ns
    return factors


def _followers(rank: Rank, own: Sequence[Member]) -> dict[int, list[Op]]:
    """What a rank launches after each collective until the next one, by the collective."""
    matches = {member.collective.op_id: member.match_id for member in own}
    found: dict[int, list[Op]] = {}
    ops: list[Op] = []  # before the first collective, whose counterpart on another rank is not known
    for op in rank.timeline.ops if rank.timeline else []:
        if op.op_id in matches:
            ops = found[matches[op.op_id]] = []
        else:
            ops.append(op)
    return found


def _waiting(own: Sequence[Member], all_arrived_ns: Mapping[int, int]) -> list[Interval]:
    """When collectives of a rank wait for others, ns on its own clock."""
    starts = ((member.collective.start_ns, all_arrived_ns[member.match_id] - member.ref_start_ns) for member in own)
    return merged((start_ns, start_ns + waits_ns) for start_ns, waits_ns in starts)


def _beside(ops: Sequence[Op], waiting: Sequence[Interval]) -> dict[int, int]:
    """How long ops run beside waiting, ns, by their place."""
    found = {place: _within(op.start_ns, op.end_ns, waiting) for place, op in enumerate(ops)}
    return {place: ns for place, ns in found.items() if ns}


def _within(start_ns: int, end_ns: int, intervals: Sequence[Interval]) -> int:
    """How much of a time lies in intervals that are disjoint and in order, ns."""
    first = bisect_right(intervals, start_ns, key=lambda interval: interval[1])
    met = takewhile(lambda interval: interval[0] < end_ns, islice(intervals, first, None))
    return sum(min(end_ns, end) - max(start_ns, start) for start, end in met)
