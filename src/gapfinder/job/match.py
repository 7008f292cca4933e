"""Finds the collectives that ranks share, and with them how their clocks lie to each other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from gapfinder.job.clock import Clock, Event, fitted, shift
from gapfinder.job.rank import POINT_TO_POINT, Collective, Rank

TOGETHER_NS = 100_000  # ends of one collective lie closer: 5 to 36 us in seven jobs of two H200s
NOISE_NS, NOISE_TIMES = 20_000, 4  # waiting for less says nothing: the offset of two GPUs of one host was 19 us


@dataclass(frozen=True)
class Member:
    """A collective on one of its ranks. Times on the clock of the first rank are `ref_`."""

    match_id: int
    team: int
    rank: int
    collective: Collective
    ref_start_ns: int
    ref_end_ns: int


@dataclass(frozen=True)
class Alignment:
    """The clock of each rank, the collectives that were matched, and how well that went.

    `residual_ns` is the median distance of a collective's ends on two ranks, `worst_ns` the largest; both None where no
    two ranks share one. `by` says what told the ranks' collectives apart. `unmatched` are the ranks that share none.
    """

    clocks: dict[int, Clock]
    members: list[Member]
    residual_ns: int | None
    worst_ns: int | None
    by: str
    unmatched: list[int]

    @property
    def noise_ns(self) -> int:
        """Waiting for less than this says nothing of who was late."""
        return max(NOISE_NS, NOISE_TIMES * (self.residual_ns or 0))


Team = dict[int, list[Collective]]  # the collectives of each rank, in the order in which they end


def align(ranks: Sequence[Rank]) -> Alignment:
    """Match the ranks' collectives. Ranks of one trace have one clock but for what lies between their GPUs."""
    known = all(collective.communicator for rank in ranks for collective in rank.collectives)
    teams = [team for team in _teams(ranks, known=known) if len(team) > 1]
    clocks = _clocks(ranks, teams)
    members: list[Member] = []
    for number, team in enumerate(teams):
        for group in _matched(ranks, team, clocks):
            match_id = members[-1].match_id + 1 if members else 0
            members += [
                Member(match_id, number, rank, one, round(clocks[rank].ref(one.start_ns)), round(clocks[rank].ref(one.end_ns)))
                for rank, one in group.items()
            ]
    off = sorted(_off(members))
    found = {member.rank for member in members}
    return Alignment(
        clocks,
        members,
        round(median(off)) if off else None,
        round(off[-1]) if off else None,
        "communicator" if known else "order",
        [rank.number for rank in ranks if rank.number not in found],
    )


def _teams(ranks: Sequence[Rank], *, known: bool) -> Iterator[Team]:
    """Who communicates with whom: by communicator, and for sends and receives by pair; else all ranks, by kind."""
    teams: dict[tuple[object, ...], Team] = {}
    inside: dict[str | None, list[int]] = {}
    for rank in ranks:
        for communicator in dict.fromkeys(one.communicator for one in rank.collectives):
            inside.setdefault(communicator, []).append(rank.number)
    for rank in ranks:
        for one in rank.collectives:
            pair: tuple[int, ...] = ()
            # NCCL numbers the ranks of a communicator; ours are taken to be in the same order
            if known and one.kind == POINT_TO_POINT and one.peer is not None:
                pair = tuple(sorted((inside[one.communicator].index(rank.number), one.peer)))
            point_to_point = one.kind == POINT_TO_POINT
            key = (one.communicator, point_to_point, pair) if known else (one.kind,)
            teams.setdefault(key, {}).setdefault(rank.number, []).append(one)
    for team in teams.values():
        if known or len(team) == 2 or next(iter(team.values()))[0].kind != POINT_TO_POINT:
            yield team


def _clocks(ranks: Sequence[Rank], teams: Sequence[Team]) -> dict[int, Clock]:
    """The clock of each rank, from one that is known to the next; collectives first, since a send may end before its receive."""
    by_use = sorted(teams, key=lambda team: (_point_to_point(team), -min(map(len, team.values()))))
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


def _clock(ranks: Sequence[Rank], team: Team, known: int, rank: int, clock: Clock) -> Clock | None:
    theirs, own = _events(team, known, clock), _events(team, rank, Clock())
    by_number = {one.number: one for one in ranks}
    apart = _started_apart(by_number[rank], by_number[known])
    by = shift(theirs, own, None if apart is None else apart + clock.offset_ns)
    if by is None:
        return None
    return fitted([(theirs[index].end_ns, own[index - by].end_ns) for index in _common(theirs, own, by)])


def _matched(ranks: Sequence[Rank], team: Team, clocks: dict[int, Clock]) -> Iterator[dict[int, Collective]]:
    """The collectives of a team, each with the activity of every rank that has it."""
    pivot, *others = (rank.number for rank in ranks if rank.number in team)
    events = {rank: _events(team, rank, clocks[rank]) for rank in team}
    groups: list[dict[int, Collective]] = [{pivot: one} for one in team[pivot]]
    for rank in others:
        pairs = _in_order(events[pivot], events[rank]) if _point_to_point(team) else _together(events[pivot], events[rank])
        for index, own in pairs:
            groups[index][rank] = team[rank][own]
    return (group for group in groups if len(group) > 1)


def _in_order(theirs: Sequence[Event], own: Sequence[Event]) -> Iterator[tuple[int, int]]:
    by = shift(theirs, own, 0.0)
    return ((index, index - by) for index in _common(theirs, own, by)) if by is not None else iter(())


def _together(theirs: Sequence[Event], own: Sequence[Event]) -> Iterator[tuple[int, int]]:
    """Pairs of the same kind and size that end together, in order; a capture may lack some of them, at its ends or within."""
    index = mine = 0
    while index < len(theirs) and mine < len(own):
        apart_ns = theirs[index].end_ns - own[mine].end_ns
        if abs(apart_ns) <= TOGETHER_NS and theirs[index].what == own[mine].what:
            yield index, mine
            index, mine = index + 1, mine + 1
        elif apart_ns < 0:
            index += 1
        else:
            mine += 1


def _common(theirs: Sequence[Event], own: Sequence[Event], by: int) -> range:
    return range(max(0, by), min(len(theirs), len(own) + by))


def _started_apart(rank: Rank, other: Rank) -> float | None:
    """What the sessions' start times say is to be added to the rank's times."""
    if rank.trace == other.trace:
        return 0.0
    return None if rank.started_ns is None or other.started_ns is None else float(rank.started_ns - other.started_ns)


def _events(team: Team, rank: int, clock: Clock) -> list[Event]:
    sized = not _point_to_point(team) and all(one.bytes is not None for activities in team.values() for one in activities)
    return [Event(clock.ref(one.end_ns), (one.kind, one.bytes) if sized else (one.kind,)) for one in team[rank]]


def _point_to_point(team: Team) -> bool:
    return next(iter(team.values()))[0].kind == POINT_TO_POINT


def _off(members: Sequence[Member]) -> Iterator[float]:
    """How far the ends of each match are apart, but for sends and receives where there is anything else."""
    only = all(member.collective.kind == POINT_TO_POINT for member in members)
    first: dict[int, Member] = {}
    for member in members:
        if only or member.collective.kind != POINT_TO_POINT:
            pivot = first.setdefault(member.match_id, member)
            if pivot is not member:
                yield abs(member.ref_end_ns - pivot.ref_end_ns)
