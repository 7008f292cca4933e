"""What compute would take without a collective that waits beside it: its kernel spins on multiprocessors that compute lacks."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import islice, takewhile
from statistics import median

from gapfinder.job.match import Alignment, Member
from gapfinder.job.rank import Rank
from gapfinder.replay.intervals import Interval, merged
from gapfinder.replay.timeline import Activity

MOSTLY = 0.5  # of an activity beside a waiting collective: it is slowed by that


def relieved(ranks: Sequence[Rank], alignment: Alignment) -> dict[int, dict[int, float]]:
    """How much shorter activities are without a waiting collective beside them: a factor by rank and activity_id.

    Other ranks tell it. After the same collective, the activities at the same place in the order of launches do the same work, if
    the ranks launch the same kinds until the next collective. Activities of ranks that launch others get no factor.
    """
    own: dict[int, list[Member]] = {rank.number: [] for rank in ranks}
    all_arrived_ns: dict[int, int] = {}  # by collective, on the clock of the first rank
    for member in alignment.members:
        own[member.rank].append(member)
        all_arrived_ns[member.match_id] = max(member.ref_start_ns, all_arrived_ns.get(member.match_id, member.ref_start_ns))
    followers: dict[int, dict[int, list[Activity]]] = {}
    for rank in ranks:
        for match_id, activities in _followers(rank, own[rank.number]).items():
            followers.setdefault(match_id, {})[rank.number] = activities
    waiting = {number: _waiting(members, all_arrived_ns) for number, members in own.items()}
    factors: dict[int, dict[int, float]] = {rank.number: {} for rank in ranks}
    for same in followers.values():
        if len({tuple((activity.kind, activity.stream) for activity in activities) for activities in same.values()}) > 1:
            continue
        beside = {number: _beside(activities, waiting[number]) for number, activities in same.items()}
        for place in range(len(next(iter(same.values())))):
            lengths = {number: activities[place].end_ns - activities[place].start_ns for number, activities in same.items()}
            free = [ns for number, ns in lengths.items() if place not in beside[number]]
            alone_ns = median(free) if free else max(lengths.values())
            for number, ns in lengths.items():
                activity = same[number][place]
                if activity.kind == "compute" and alone_ns < ns and beside[number].get(place, 0) >= MOSTLY * ns:
                    factors[number][activity.activity_id] = alone_ns / ns
    return factors


def _followers(rank: Rank, own: Sequence[Member]) -> dict[int, list[Activity]]:
    """What a rank launches after each collective until the next one, by the collective."""
    matches = {member.collective.activity_id: member.match_id for member in own}
    found: dict[int, list[Activity]] = {}
    activities: list[Activity] = []  # before the first collective, whose counterpart on another rank is not known
    for activity in rank.timeline.activities if rank.timeline else []:
        if activity.activity_id in matches:
            activities = found[matches[activity.activity_id]] = []
        else:
            activities.append(activity)
    return found


def _waiting(own: Sequence[Member], all_arrived_ns: Mapping[int, int]) -> list[Interval]:
    """When collectives of a rank wait for others, ns on its own clock."""
    starts = ((member.collective.start_ns, all_arrived_ns[member.match_id] - member.ref_start_ns) for member in own)
    return merged((start_ns, start_ns + waits_ns) for start_ns, waits_ns in starts)


def _beside(activities: Sequence[Activity], waiting: Sequence[Interval]) -> dict[int, int]:
    """How long activities run beside waiting, ns, by their place."""
    found = {place: _within(activity.start_ns, activity.end_ns, waiting) for place, activity in enumerate(activities)}
    return {place: ns for place, ns in found.items() if ns}


def _within(start_ns: int, end_ns: int, intervals: Sequence[Interval]) -> int:
    """How much of a time lies in intervals that are disjoint and in order, ns."""
    first = bisect_right(intervals, start_ns, key=lambda interval: interval[1])
    met = takewhile(lambda interval: interval[0] < end_ns, islice(intervals, first, None))
    return sum(min(end_ns, end) - max(start_ns, start) for start, end in met)
