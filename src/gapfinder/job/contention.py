"""Predicts how long compute takes without overlapping collectives that wait: their kernels spin on multiprocessors."""

from collections.abc import Mapping, Sequence
from statistics import median

import numpy as np

from gapfinder.job.match import Alignment, Member
from gapfinder.job.rank import Rank
from gapfinder.replay.intervals import Intervals
from gapfinder.replay.timeline import Activity

MIN_OVERLAP = 0.5  # share of an activity that must overlap a waiting collective, for the collective to slow it


def relieved(ranks: Sequence[Rank], alignment: Alignment) -> dict[int, dict[int, float]]:
    """How much shorter activities are without an overlapping collective that waits: a factor by rank and activity_id.

    The factor comes from the other ranks. After the same collective, activities at the same position in the launch order do the
    same work, if all ranks launch the same kinds of activities on the same streams until the next collective. Otherwise there is
    no factor.
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
        overlap_ns = {number: _overlap_ns(activities, waiting[number]) for number, activities in same.items()}
        for index in range(len(next(iter(same.values())))):
            lengths = {number: activities[index].end_ns - activities[index].start_ns for number, activities in same.items()}
            free = [ns for number, ns in lengths.items() if index not in overlap_ns[number]]
            alone_ns = median(free) if free else max(lengths.values())
            for number, ns in lengths.items():
                activity = same[number][index]
                if activity.kind == "compute" and alone_ns < ns and overlap_ns[number].get(index, 0) >= MIN_OVERLAP * ns:
                    factors[number][activity.activity_id] = alone_ns / ns
    return factors


def _followers(rank: Rank, own: Sequence[Member]) -> dict[int, list[Activity]]:
    """The activities that a rank launches after each collective and before the next one, by the collective."""
    matches = {member.collective.activity_id: member.match_id for member in own}
    followers: dict[int, list[Activity]] = {}
    activities: list[Activity] = []  # those before the first collective have no known counterpart on other ranks
    for activity in rank.timeline.activities if rank.timeline else []:
        if activity.activity_id in matches:
            activities = followers[matches[activity.activity_id]] = []
        else:
            activities.append(activity)
    return followers


def _waiting(own: Sequence[Member], all_arrived_ns: Mapping[int, int]) -> Intervals:
    """The intervals in which collectives of a rank wait for other ranks, ns on its own clock."""
    starts = ((member.collective.start_ns, all_arrived_ns[member.match_id] - member.ref_start_ns) for member in own)
    return Intervals.of((start_ns, start_ns + waits_ns) for start_ns, waits_ns in starts)


def _overlap_ns(activities: Sequence[Activity], waiting: Intervals) -> dict[int, int]:
    """How long each activity overlaps waiting collectives, ns by index. Activities without overlap are left out."""
    starts, ends = (np.array([getattr(activity, edge) for activity in activities], np.int64) for edge in ("start_ns", "end_ns"))
    return {index: ns for index, ns in enumerate(waiting.within(starts, ends).tolist()) if ns}
