"""Answers a what-if: replays each change alone, and all changes together."""

from gapfinder.diagnosis.damage import Damage
from gapfinder.diagnosis.window import window_of
from gapfinder.replay.change import Change
from gapfinder.replay.ranges import MAX_ERROR
from gapfinder.replay.replay import Replay
from gapfinder.replay.timeline import Timeline, why_not_replayed
from gapfinder.trace import OpenTrace
from gapfinder.units import percent
from gapfinder.whatif.grammar import Request
from gapfinder.whatif.removals import ALL_RANKS, REMOVALS, several_ranks
from gapfinder.whatif.speedups import SPEED_UPS
from gapfinder.whatif.whatif import Answer, WhatIf


def answer(trace: OpenTrace, requests: list[Request]) -> WhatIf:
    """Predict the step time with each change, and with all. Raises UsageError if a change matches nothing in the trace."""
    window = window_of(trace)
    step_ns, unit = window.step_ns, window.unit
    timeline = Timeline.of(trace)
    damage = Damage.of(trace).sentences
    if timeline is None:
        note = f"Nothing is predicted, because {why_not_replayed(trace)}."
        return WhatIf(str(trace.path), window.steps, step_ns, None, [], None, note, unit, damage)
    replay = Replay(timeline)
    matches = [
        REMOVALS[request.subject](trace, replay, request.target)
        if request.subject in REMOVALS
        else SPEED_UPS[request.subject](trace, replay, request.target, 1 / request.speedup)
        for request in requests
    ]
    trusted = abs(replay.error) <= MAX_ERROR

    # as in the diagnosis: a cause costs a replayed step less or more than the mean step
    ratio_of = {row["cause"]: row["lost_ratio"] for row in trace.id_rows("SELECT * FROM replay_causes")}
    mean = step_ns / timeline.step_ns
    ratios = [ratio_of[request.target] if request.subject == "cause" else mean for request in requests]

    def predicted(change: Change, ratio: float) -> int | None:
        return round(step_ns - replay.saved_ns(replay.unchanged_ns, replay.length_ns(change)) * ratio) if trusted else None

    together, together_ns, last_ns = Change(), step_ns, replay.unchanged_ns
    for (change, _), ratio in zip(matches, ratios, strict=True):
        together |= change
        length_ns = replay.length_ns(together)
        together_ns -= replay.saved_ns(last_ns, length_ns) * ratio
        last_ns = length_ns
    return WhatIf(
        str(trace.path),
        window.steps,
        step_ns,
        replay.error,
        [
            Answer(request.text, matched, predicted(change, ratio))
            for request, (change, matched), ratio in zip(requests, matches, ratios, strict=True)
        ],
        round(together_ns) if trusted else None,
        _of_one_rank(trace)
        if trusted
        else f"Nothing is predicted: the unchanged replay differs by {percent(abs(replay.error))} from the measured {unit}.",
        unit,
        damage,
    )


def _of_one_rank(trace: OpenTrace) -> str | None:
    """A sentence if the trace holds several ranks."""
    return f"One rank is replayed here. {ALL_RANKS}." if several_ranks(trace) else None
