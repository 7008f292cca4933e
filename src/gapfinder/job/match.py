"""Matches the collectives that ranks share, and aligns the ranks' clocks by them."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from gapfinder.job.clock import Clock, Event, fitted, shift
from gapfinder.job.missing import Team, lacking, why_apart, why_drifting, why_incomplete, why_unmatched
from gapfinder.job.rank import ALL_TO_ALL, POINT_TO_POINT, ROOTED, Collective, Rank

MAX_END_DISTANCE_NS = 100_000  # the ends of one collective are closer, as a rule: 5 to 36 us in seven jobs of two H200s
# Between two that match, where both ranks have the same ones: 102 us after 150 ms of waiting in a barrier of two H100s.
MAX_END_DISTANCE_BETWEEN_NS = 1_000_000
MAX_APART_NS = 60_000_000_000  # by which clocks of hosts may differ; beyond it the sessions' start times are not believed
NOISE_NS, NOISE_FACTOR = 20_000, 4  # shorter waiting is noise: the clock offset of two GPUs of one host was 19 us


@dataclass(frozen=True)
class Member:
    """One rank's activity of a matched collective. `ref_start_ns` and `ref_end_ns` are on the clock of the first rank.

    `match_id` is the same for all members of a collective, `team` for all collectives of the same ranks and communicator.
    """

    match_id: int
    team: int
    rank: int
    collective: Collective
    ref_start_ns: int
    ref_end_ns: int


@dataclass(frozen=True)
class Alignment:
    """The clock of each rank, the matched collectives, and the quality of the match.

    `residual_ns` is the median distance between the ends of a collective on two ranks, `worst_ns` the largest; both are None if
    no two ranks share a collective. `by` is how collectives were matched: communicator or order. `unmatched` are the ranks that
    share no collective; `incomplete` says which ranks lack some that others have, have a clock of another rate, or were recorded
    at another time. It is None if none does.
    """

    clocks: dict[int, Clock]
    members: list[Member]
    residual_ns: int | None
    worst_ns: int | None
    by: str
    unmatched: list[int]
    incomplete: str | None

    @property
    def matches(self) -> dict[int, list[Member]]:
        """The members of each match, by its id."""
        found: dict[int, list[Member]] = {}
        for member in self.members:
            found.setdefault(member.match_id, []).append(member)
        return found

    @property
    def noise_ns(self) -> int:
        """Waiting shorter than this is noise: it does not show which rank was late."""
        return max(NOISE_NS, NOISE_FACTOR * (self.residual_ns or 0))


def align(ranks: Sequence[Rank]) -> Alignment:
    """Align the ranks' clocks and match their collectives."""
    known = all(collective.communicator for rank in ranks for collective in rank.collectives)
    teams = [team for team in _teams(ranks, known=known) if len(team) > 1]
    clocks = _clocks(ranks, teams)
    members: list[Member] = []
    for number, team in enumerate(teams):
        for group in _matched(ranks, team, clocks):
            match_id = members[-1].match_id + 1 if members else 0
            members += [
                Member(
                    match_id,
                    number,
                    rank,
                    collective,
                    round(clocks[rank].ref(collective.start_ns)),
                    round(clocks[rank].ref(collective.end_ns)),
                )
                for rank, collective in group.items()
            ]
    distances = sorted(_end_distances(members))
    matched = {member.rank for member in members}
    shared = [team for team in teams if matched.issuperset(team)]
    known_by = (clocks, _by_sessions(ranks, clocks))
    return Alignment(
        clocks,
        members,
        round(median(distances)) if distances else None,
        round(distances[-1]) if distances else None,
        "communicator" if known else "order",
        [rank.number for rank in ranks if rank.number not in matched],
        why_incomplete(lacking(shared, clocks))
        or why_drifting(shared, clocks)
        or why_unmatched(shared, known_by, len(members))
        or why_apart(_later(ranks)),
    )


def _teams(ranks: Sequence[Rank], *, known: bool) -> Iterator[Team]:
    """The teams of ranks.

    With known communicators: by communicator, and for sends and receives by pair. Else: all ranks, by kind.
    """
    teams: dict[tuple[object, ...], dict[int, list[Collective]]] = {}
    inside: dict[str | None, list[int]] = {}
    for rank in ranks:
        for communicator in dict.fromkeys(collective.communicator for collective in rank.collectives):
            inside.setdefault(communicator, []).append(rank.number)
    for rank in ranks:
        for collective in rank.collectives:
            pair: tuple[int, ...] = ()
            # NCCL numbers the ranks within a communicator; they are assumed to be in the order of our numbers
            if known and collective.kind == POINT_TO_POINT and collective.peer is not None:
                pair = tuple(sorted((inside[collective.communicator].index(rank.number), collective.peer)))
            point_to_point = collective.kind == POINT_TO_POINT
            key = (collective.communicator, point_to_point, pair) if known else (collective.kind,)
            teams.setdefault(key, {}).setdefault(rank.number, []).append(collective)
    for team in teams.values():
        if known or len(team) == 2 or next(iter(team.values()))[0].kind != POINT_TO_POINT:
            yield team


def _clocks(ranks: Sequence[Rank], teams: Sequence[Team]) -> dict[int, Clock]:
    """The clock of each rank: a rank gets it from a team with a rank whose clock is known.

    Collectives that end together on all ranks come first, because a root or a sender may end before the others.
    """
    mutual = [_mutual(team) for team in teams if _has_root(team)]
    usable = [*(team for team in mutual if all(team.values())), *teams]
    by_use = sorted(usable, key=lambda team: (_point_to_point(team), _has_root(team), -min(map(len, team.values()))))
    clocks = {ranks[0].number: Clock()}
    before = -1
    while len(clocks) > before:
        before = len(clocks)
        for team in by_use:
            known = next((rank for rank in team if rank in clocks), None)
            for rank in team if known is not None else ():
                if rank not in clocks and known is not None and (clock := _clock(ranks, team, known, rank, clocks[known])):
                    clocks[rank] = clock
    for alone in ranks:
        if alone.number not in clocks:
            clocks[alone.number] = Clock(_started_apart(alone, ranks[0]) or 0.0)
    return clocks


def _mutual(team: Team) -> Team:
    """The team without collectives that have a root."""
    return {rank: [each for each in collectives if each.kind not in ROOTED] for rank, collectives in team.items()}


def _has_root(team: Team) -> bool:
    return any(each.kind in ROOTED for each in next(iter(team.values())))


def _by_sessions(ranks: Sequence[Rank], clocks: Mapping[int, Clock]) -> dict[int, Clock]:
    """The clock of each rank by the sessions' start times; where nothing tells these, the one in `clocks`."""
    apart = {rank.number: _started_apart(rank, ranks[0]) for rank in ranks}
    return {number: clocks[number] if ns is None else Clock(ns) for number, ns in apart.items()}


def _clock(ranks: Sequence[Rank], team: Team, known: int, rank: int, clock: Clock) -> Clock | None:
    theirs, own = _events(team, known, clock), _events(team, rank, Clock())
    by_number = {each.number: each for each in ranks}
    apart = _started_apart(by_number[rank], by_number[known])
    by = shift(theirs, own, None if apart is None else apart + clock.offset_ns)
    if by is None:
        return None
    return fitted([(theirs[index].end_ns, own[index - by].end_ns) for index in _common(theirs, own, by)])


def _matched(ranks: Sequence[Rank], team: Team, clocks: dict[int, Clock]) -> Iterator[dict[int, Collective]]:
    """The collectives of a team, each with the activities of its ranks by rank."""
    pivot, *others = (rank.number for rank in ranks if rank.number in team)
    events = {rank: _events(team, rank, clocks[rank]) for rank in team}
    groups: list[dict[int, Collective]] = [{pivot: collective} for collective in team[pivot]]
    for rank in others:
        pairs = _in_order(events[pivot], events[rank]) if _point_to_point(team) else _together(events[pivot], events[rank])
        for index, own in pairs:
            groups[index][rank] = team[rank][own]
    return (group for group in groups if len(group) > 1)


def _in_order(theirs: Sequence[Event], own: Sequence[Event]) -> Iterator[tuple[int, int]]:
    by = shift(theirs, own, 0.0)
    return ((index, index - by) for index in _common(theirs, own, by)) if by is not None else iter(())


def _together(theirs: Sequence[Event], own: Sequence[Event]) -> Iterator[tuple[int, int]]:
    """The pairs of collectives: those in which every rank waits for all by their ends, the others between these by order."""
    mutual = list(_ended_together(theirs, own, _mutual_places(theirs), _mutual_places(own)))
    yield from mutual
    paired = {index for index, _ in mutual}, {index for _, index in mutual}
    left = [[place for place in range(len(of)) if place not in known] for of, known in zip((theirs, own), paired, strict=True)]
    starts, stops = [(-1, -1), *mutual], [*mutual, (len(theirs), len(own))]
    for since, until in zip(starts, stops, strict=True):
        indices, mine = (
            places[bisect_right(places, low) : bisect_left(places, high)]
            for places, low, high in zip(left, since, until, strict=True)
        )
        yield from _in_between(theirs, own, indices, mine, open_=since == starts[0] or until == stops[-1])


def _in_between(
    theirs: Sequence[Event], own: Sequence[Event], indices: Sequence[int], mine: Sequence[int], *, open_: bool
) -> Iterator[tuple[int, int]]:
    """The pairs among these indices, which lie between two pairs, or where it is `open_` beyond the first or the last."""
    if not open_ and _alike(theirs, own, indices, mine):
        for index, my in zip(indices, mine, strict=True):
            if _is_rooted(own[my]) or abs(theirs[index].end_ns - own[my].end_ns) <= MAX_END_DISTANCE_BETWEEN_NS:
                yield index, my
        return
    indices, mine = ([place for place in places if _is_rooted(of[place])] for of, places in ((theirs, indices), (own, mine)))
    if _alike(theirs, own, indices, mine):
        yield from zip(indices, mine, strict=True)
    else:
        yield from _ended_together(theirs, own, indices, mine)


def _alike(theirs: Sequence[Event], own: Sequence[Event], indices: Sequence[int], mine: Sequence[int]) -> bool:
    """Whether these are collectives of the same kinds and sizes in the same order."""
    return [theirs[index].signature for index in indices] == [own[index].signature for index in mine]


def _is_rooted(event: Event) -> bool:
    return event.signature[0] in ROOTED


def _mutual_places(events: Sequence[Event]) -> list[int]:
    """The indices of the collectives that have no root."""
    return [index for index, event in enumerate(events) if not _is_rooted(event)]


def _ended_together(
    theirs: Sequence[Event], own: Sequence[Event], indices: Sequence[int], mine: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """The pairs, among these indices, of the same kind and size that end together. A capture may lack some collectives."""
    at = at_own = 0
    while at < len(indices) and at_own < len(mine):
        their, my = theirs[indices[at]], own[mine[at_own]]
        apart_ns = their.end_ns - my.end_ns
        if abs(apart_ns) <= MAX_END_DISTANCE_NS and their.signature == my.signature:
            yield indices[at], mine[at_own]
            at, at_own = at + 1, at_own + 1
        elif apart_ns < 0:
            at += 1
        else:
            at_own += 1


def _common(theirs: Sequence[Event], own: Sequence[Event], by: int) -> range:
    return range(max(0, by), min(len(theirs), len(own) + by))


def _started_apart(rank: Rank, other: Rank) -> float | None:
    """What to add to the rank's times to get the other's, by the sessions' start times, ns; None if nothing tells."""
    return None if abs(_recorded_later(rank, other)) > MAX_APART_NS else _sessions_apart(rank, other)


def _sessions_apart(rank: Rank, other: Rank) -> float | None:
    """The same, whether or not it is believed."""
    if rank.trace == other.trace:
        return 0.0
    return None if rank.started_ns is None or other.started_ns is None else float(rank.started_ns - other.started_ns)


def _recorded_later(rank: Rank, other: Rank) -> float:
    """The time from the end of the other's recording to the start of the rank's, by the sessions' start times, ns.

    Below 0 if the rank was recorded first; 0 if they overlap, or if nobody knows.
    """
    apart_ns = _sessions_apart(rank, other)
    if apart_ns is None or not rank.collectives or not other.collectives:
        return 0.0
    after = rank.collectives[0].end_ns + apart_ns - other.collectives[-1].end_ns
    before = rank.collectives[-1].end_ns + apart_ns - other.collectives[0].end_ns
    return max(after, 0.0) + min(before, 0.0)


def _later(ranks: Sequence[Rank]) -> dict[int, float]:
    """The ranks that were not recorded when the first one was: how much later, ns."""
    recorded = [rank for rank in ranks if rank.collectives]
    later = {rank.number: _recorded_later(rank, recorded[0]) for rank in recorded}
    return {rank: ns for rank, ns in later.items() if abs(ns) > MAX_APART_NS}


def _events(team: Team, rank: int, clock: Clock) -> list[Event]:
    sized = not _point_to_point(team) and all(
        collective.bytes is not None for activities in team.values() for collective in activities
    )
    # in an all-to-all, each rank sends and receives as much as it has
    return [
        Event(
            clock.ref(collective.end_ns),
            (collective.kind, collective.bytes) if sized and collective.kind != ALL_TO_ALL else (collective.kind,),
        )
        for collective in team[rank]
    ]


def _point_to_point(team: Team) -> bool:
    return next(iter(team.values()))[0].kind == POINT_TO_POINT


def _end_distances(members: Sequence[Member]) -> Iterator[float]:
    """The distances between the ends of each match, ns. What may end before all arrived counts only if all do."""
    loose = {POINT_TO_POINT, *ROOTED}
    only = all(member.collective.kind in loose for member in members)
    first: dict[int, Member] = {}
    for member in members:
        if only or member.collective.kind not in loose:
            pivot = first.setdefault(member.match_id, member)
            if pivot is not member:
                yield abs(member.ref_end_ns - pivot.ref_end_ns)
