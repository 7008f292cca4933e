"""What ranks lack: collectives that the others have, or a common time. A trace was damaged, or something else was recorded."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from gapfinder.job.clock import Clock
from gapfinder.job.rank import Collective, Rank
from gapfinder.units import clean, count, duration, percent

# Ranks that communicate with each other: each rank's collectives, in the order of their ends.
Team = Mapping[int, Sequence[Collective]]
TOLERATED = 2  # collectives at both ends of the time that all ranks recorded, where the clocks decide which belong to it
TOLERATED_SHARE = 0.02  # a capture may lose some
# The least share of the window that lies between collectives which ranks share. In 30 jobs it was 65 % and more; in one that
# shares some only at its start and end, and sends by other means, 0.02 %: they say nothing of what lies between.
MIN_SHARED = 0.2
# Clocks of hosts run at rates that differ by a millionth or so. A rate that is fitted to a short window may be off by more, but
# not by so much in all.
MAX_DRIFT, MAX_DRIFTED_NS = 1e-3, 1_000_000
MIN_MATCHED = 0.8  # of the collectives that all ranks recorded in the same time; in eight sound jobs all of them match


def lacking(teams: Sequence[Team], clocks: Mapping[int, Clock]) -> dict[int, tuple[int, int]]:
    """How many collectives a rank has, and how many another rank of its team, in the time that all of them recorded.

    The result has only ranks with too few, each for the team in which it lacks most.
    """
    found: dict[int, tuple[int, int]] = {}
    for team in teams:
        counts = _in_common_time(team, clocks)
        most = max(counts.values())
        for rank, own in counts.items():
            lacks = most - own
            if lacks > max(TOLERATED, TOLERATED_SHARE * most) and lacks > most - found.get(rank, (most, most))[0]:
                found[rank] = (own, most)
    return found


def _in_common_time(team: Team, clocks: Mapping[int, Clock]) -> dict[int, int]:
    """How many collectives each rank has in the time that all of them recorded."""
    ends = {rank: sorted(clocks[rank].ref(each.end_ns) for each in collectives) for rank, collectives in team.items()}
    from_ns, to_ns = max(own[0] for own in ends.values()), min(own[-1] for own in ends.values())
    return {rank: sum(from_ns <= end <= to_ns for end in own) for rank, own in ends.items()}


def why_unmatched(teams: Sequence[Team], several_clocks: Sequence[Mapping[int, Clock]], matched: int) -> str | None:
    """A sentence if few of the ranks' collectives could be matched; None if most were.

    The clock of a rank that jumps, or that runs at another rate, fits for a part of them only, and may fit best at a wrong place.
    So of several clocks, those count by which the ranks recorded the most in the same time.
    """
    recorded = max(sum(sum(_in_common_time(team, clocks).values()) for team in teams) for clocks in several_clocks)
    if matched >= MIN_MATCHED * recorded:
        return None
    return f"only {matched:,} of {count(recorded, 'communication activity')} that the ranks recorded in the same time match"


def why_drifting(teams: Sequence[Team], clocks: Mapping[int, Clock]) -> str | None:
    """A sentence on the ranks whose times run at another rate than those of the first; None if no rank's do."""
    fast: dict[int, float] = {}
    for team in teams:
        for rank, collectives in team.items():
            drift, length_ns = clocks[rank].drift, collectives[-1].end_ns - collectives[0].end_ns
            if abs(drift) > MAX_DRIFT and abs(drift) * length_ns > MAX_DRIFTED_NS:
                fast[rank] = drift
    clauses = [
        f"the clock of rank {rank} runs {percent(abs(drift / (1 + drift)))} {'slow' if drift > 0 else 'fast'}"
        for rank, drift in fast.items()
    ]
    return ", and ".join(clauses) or None


def why_apart(later_ns: Mapping[int, float]) -> str | None:
    """A sentence on the ranks that were recorded so much later than the first, ns; None if no rank was."""
    apart = [
        f"rank {rank} was recorded {duration(abs(ns))} {'after' if ns > 0 else 'before'} the first"
        for rank, ns in later_ns.items()
    ]
    return f"by the start of its session, {', '.join(apart)}" if apart else None


def why_incomplete(lacking_: Mapping[int, tuple[int, int]]) -> str | None:
    """A sentence on the ranks that lack collectives; None if no rank does."""
    lacks = [f"rank {rank} has {own:,} of {count(most, 'collective')} that others have" for rank, (own, most) in lacking_.items()]
    return f"{', '.join(lacks)} in the same time" if lacks else None


def why_seldom(shared_ns: int, windows_ns: int) -> str | None:
    """A sentence if little of the ranks' windows lies between collectives that they share; None if enough does (`MIN_SHARED`)."""
    share = shared_ns / windows_ns
    return f"the ranks share collectives in only {percent(share)} of the window" if share < MIN_SHARED else None


def why_left_out(ranks: Sequence[Rank], no_communication: Sequence[str], unusable: Sequence[str]) -> str | None:
    """A sentence on ranks that share no collective in the job's steps, and on traces without communication or use, by name.

    None if there are none. One that is late may be among them, and so may one of another job.
    """
    why = []
    if ranks:
        named = ", ".join(f"rank {rank.number} ({clean(Path(rank.trace).name)})" for rank in ranks)
        why.append(f"{named} {'share' if len(ranks) > 1 else 'shares'} no collective with the others")
    if no_communication:
        why.append(f"nothing communicates in the window of {_names(no_communication)}")
    if unusable:
        why.append(f"what cannot be used is left out ({_names(unusable)})")
    return ", and ".join(why) or None


def _names(traces: Sequence[str]) -> str:
    return ", ".join(clean(Path(trace).name) for trace in traces)
