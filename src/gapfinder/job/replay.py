"""The replay of a job: each rank is replayed, and their collectives are barriers between the ranks."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass

from gapfinder.job.clock import Clock
from gapfinder.job.match import Alignment, Member
from gapfinder.job.rank import Rank
from gapfinder.replay.change import Change
from gapfinder.replay.intervals import Intervals
from gapfinder.replay.replay import Replay

Run = Generator[tuple[int, float], float, float]


@dataclass(frozen=True)
class _Part:
    """One rank of the replay.

    `barriers` has, by the index of an activity, its collective (match_id) and how long it moves data on this rank, ns.
    """

    replay: Replay
    clock: Clock
    barriers: Mapping[int, tuple[int, float]]

    @property
    def moving_ns(self) -> float:
        """How long the rank's collectives move data in a step, ns. Collectives that overlap count once."""
        ends = ((self.replay.timeline.activities[index].end_ns, ns) for index, (_, ns) in self.barriers.items())
        moved = Intervals.of((round(end_ns - ns), end_ns) for end_ns, ns in ends)
        return moved.length_ns / self.replay.timeline.window.steps


class JobReplay:
    """All ranks over the same steps, prepared once and replayed many times. Times are on the clock of the first rank.

    As in the job's ledger, a step lasts from the last collective of one step to the last collective of the next. `first` and
    `last` are these collectives of the step before and of the last one of `step_numbers`.
    """

    def __init__(self, parts: Mapping[int, _Part], first: Member, last: Member, step_numbers: Sequence[int]) -> None:
        self._parts = parts
        self._first, self._last, self.step_numbers = first, last, step_numbers
        self._needed: dict[int, int] = {}
        for part in parts.values():
            for match_id, _ in part.barriers.values():
                self._needed[match_id] = self._needed.get(match_id, 0) + 1

    @classmethod
    def of(cls, ranks: Sequence[Rank], alignment: Alignment) -> "JobReplay | None":
        """The replay of the steps that all ranks share; None if they share fewer than two, or a rank cannot be replayed."""
        spans = common_steps(ranks, alignment)
        replays = {}
        for rank, (low, high) in zip(ranks, spans, strict=False):
            timeline = rank.timeline.cut(rank.steps[low][0], rank.steps[high][1], high - low + 1) if rank.timeline else None
            if timeline and timeline.activities:
                replays[rank.number] = Replay(timeline)
        if len(replays) < len(ranks):
            return None
        barriers = _barriers(replays, alignment.matches)
        shared = {match_id for match_id, _ in barriers[ranks[0].number].values()}
        own = [member for member in alignment.members if member.rank == ranks[0].number and member.match_id in shared]
        closing = _closing(ranks[0], own)
        if len(closing) < 2:
            return None
        first, last = min(closing), max(closing)
        parts = {number: _Part(replay, alignment.clocks[number], barriers[number]) for number, replay in replays.items()}
        return cls(parts, closing[first], closing[last], ranks[0].step_numbers[first + 1 : last + 1])

    @property
    def error(self) -> float:
        """The difference between the unchanged replay and the measured time, as a share of the measured time."""
        return self.step_ns({}) * len(self.step_numbers) / (self._last.ref_end_ns - self._first.ref_end_ns) - 1

    @property
    def moving_ns(self) -> float:
        """How long data moves in a step on the rank where it takes longest, ns."""
        return max(part.moving_ns for part in self._parts.values())

    def step_ns(self, changes: Mapping[int, Change]) -> float:
        """The time of a step of the job with changes on some ranks, ns.

        Communication that is overlapped on a rank takes no time there after all ranks have arrived; it still waits for the last
        rank.
        """
        hidden = {number for number, change in changes.items() if "communication" in change.overlapped}
        runs = {number: part.replay.run(changes.get(number, Change()), part.barriers) for number, part in self._parts.items()}
        ended: dict[int, float] = {}
        done: set[int] = set()
        # by collective, the index and the start of each rank that has arrived
        waiting: dict[int, dict[int, tuple[int, float]]] = {}
        answers: dict[int, float | None] = dict.fromkeys(runs)
        while len(done) < len(runs):
            for number, answer in list(answers.items()):
                del answers[number]
                try:
                    index, start_ns = _advance(runs[number], answer)
                except StopIteration:
                    done.add(number)
                else:
                    waiting.setdefault(self._parts[number].barriers[index][0], {})[number] = (index, start_ns)
            ready = [match_id for match_id, there in waiting.items() if len(there) == self._needed[match_id]]
            if waiting and not ready:
                # Ranks that wait for each other in a circle, on different streams, are released in the order of their arrival.
                ready = [min(waiting, key=lambda match_id: self._arrived_ns(waiting[match_id]))]
            for match_id in ready:
                there = waiting.pop(match_id)
                moving = {rank: 0.0 if rank in hidden else self._parts[rank].barriers[at][1] for rank, (at, _) in there.items()}
                answers |= self._released(there, moving)
                ended[match_id] = self._arrived_ns(there) + max(moving.values())
        return (ended[self._last.match_id] - ended[self._first.match_id]) / len(self.step_numbers)

    def _arrived_ns(self, there: Mapping[int, tuple[int, float]]) -> float:
        return max(self._parts[number].clock.ref(start_ns) for number, (_, start_ns) in there.items())

    def _released(self, there: Mapping[int, tuple[int, float]], moving: Mapping[int, float]) -> dict[int, float | None]:
        """When the collective ends on each rank, on the rank's own clock: data moves after all ranks have arrived."""
        all_arrived_ns = self._arrived_ns(there)
        ends: dict[int, float | None] = {}
        for number, (_, start_ns) in there.items():
            waits_ns = all_arrived_ns - self._parts[number].clock.ref(start_ns)
            ends[number] = start_ns + waits_ns + moving[number]
        return ends


def _advance(runs: Run, answer: float | None) -> tuple[int, float]:
    return next(runs) if answer is None else runs.send(answer)


def common_steps(ranks: Sequence[Rank], alignment: Alignment) -> list[tuple[int, int]]:
    """For each rank, the indices of the first and the last replayed step that all ranks share; empty if they share none.

    Steps of two ranks are the same if they hold most of the same collectives: one that is launched ahead of its step may start
    before it on one of them, and some of a late step after it. A step is the same as one other at most. The steps of a late rank
    start later. Two ranks that share no collective are compared through other ranks.
    """
    by_number = {rank.number: rank for rank in ranks}
    held: dict[int, dict[int, list[int]]] = {rank.number: {} for rank in ranks}
    step_of: dict[int, dict[int, int]] = {rank.number: {} for rank in ranks}
    for member in sorted(alignment.members, key=lambda member: member.ref_end_ns):
        step = _step(by_number[member.rank], member)
        if step is not None and _replays(by_number[member.rank], step):
            held[member.rank].setdefault(step, []).append(member.match_id)
            step_of[member.rank][member.match_id] = step
    same = {ranks[0].number: {step: step for step in held[ranks[0].number]}}
    queue = [ranks[0].number]
    for known in queue:
        for rank in step_of.keys() - same.keys():
            matched = {
                first: Counter(step_of[rank][match_id] for match_id in held[known].get(step, []) if match_id in step_of[rank])
                for first, step in same[known].items()
            }
            most = [(shared, first, step) for first, steps in matched.items() for step, shared in steps.most_common(1)]
            first_of = {step: first for _, first, step in sorted(most)}  # of several, the one that shares the most
            if first_of:
                same[rank] = {first: step for step, first in first_of.items()}
                queue.append(rank)
    if len(same) < len(ranks):
        return []
    common = set.intersection(*(set(steps) for steps in same.values()))
    spans = [(min(indices), max(indices)) for rank in ranks if (indices := [same[rank.number][step] for step in common])]
    return spans if len({high - low for low, high in spans}) == 1 else []


def _replays(rank: Rank, step: int) -> bool:
    """Whether the whole step lies in the part of the window that is replayed."""
    start_ns, end_ns = rank.steps[step]
    return rank.timeline is not None and rank.timeline.window.start_ns <= start_ns and end_ns <= rank.timeline.window.end_ns


def _closing(rank: Rank, own: Sequence[Member]) -> dict[int, Member]:
    """The collective that ends last in each step, by the index of the step."""
    closing: dict[int, Member] = {}
    for member in sorted(own, key=lambda member: member.ref_end_ns):
        step = _step(rank, member)
        if step is not None:
            closing[step] = member
    return closing


def _step(rank: Rank, member: Member) -> int | None:
    """The index of the step in which the collective starts; None if it starts in no step."""
    index = bisect_right(rank.steps, member.collective.start_ns, key=lambda step: step[0]) - 1
    return index if index >= 0 and member.collective.start_ns < rank.steps[index][1] else None


def _barriers(replays: Mapping[int, Replay], matches: Mapping[int, Sequence[Member]]) -> dict[int, dict[int, tuple[int, float]]]:
    """The barriers of each rank: the collectives that are replayed on all their ranks.

    A collective that ended on one rank before the last rank arrived is no barrier: a small send ends when its data is in a
    buffer.
    """
    indices = {
        number: {
            activity.activity_id: index
            for index, activity in enumerate(replay.timeline.activities)
            if activity.kind == "communication"
        }
        for number, replay in replays.items()
    }
    barriers: dict[int, dict[int, tuple[int, float]]] = {number: {} for number in replays}
    for match_id, group in matches.items():
        all_arrived_ns = max(member.ref_start_ns for member in group)
        if all(member.collective.activity_id in indices[member.rank] and member.ref_end_ns >= all_arrived_ns for member in group):
            for member in group:
                index = indices[member.rank][member.collective.activity_id]
                barriers[member.rank][index] = (match_id, member.ref_end_ns - all_arrived_ns)
    return barriers
