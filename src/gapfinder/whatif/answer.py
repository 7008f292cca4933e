"""Answers a what-if: each change replayed alone, and all of them together."""

from gapfinder.replay.change import Change
from gapfinder.replay.predict import TRUSTED, replayable
from gapfinder.replay.timeline import MOST_ACTIVITIES
from gapfinder.trace import OpenTrace
from gapfinder.units import percent
from gapfinder.whatif.grammar import Asked
from gapfinder.whatif.removals import REMOVALS
from gapfinder.whatif.speedups import SPEED_UPS
from gapfinder.whatif.whatif import Answer, WhatIf


def answer(trace: OpenTrace, asked: list[Asked]) -> WhatIf:
    """The step with each change, and with all. Raises UsageError where a change finds nothing in the trace."""
    window = trace.facts('SELECT * FROM "window"')[0]
    step_ns = window["step_ns"]
    replay = replayable(trace)
    if replay is None:
        note = (
            "Nothing is predicted: the trace tells of no launches to replay, "
            f"or of more than {MOST_ACTIVITIES:,} (choose fewer with --window)."
        )
        return WhatIf(str(trace.path), window["steps"], step_ns, None, [], None, note)
    found = [
        REMOVALS[one.subject](trace, replay, one.which)
        if one.subject in REMOVALS
        else SPEED_UPS[one.subject](trace, replay, one.which, 1 / one.faster)
        for one in asked
    ]
    trusted = abs(replay.error) <= TRUSTED

    def predicted(change: Change) -> int | None:
        return round(replay.length_ns(change) / replay.unchanged_ns * step_ns) if trusted else None

    every = Change()
    for change, _ in found:
        every |= change
    return WhatIf(
        str(trace.path),
        window["steps"],
        step_ns,
        replay.error,
        [Answer(one.text, matched, predicted(change)) for one, (change, matched) in zip(asked, found, strict=True)],
        predicted(every),
        None if trusted else f"Nothing is predicted: the replay of the unchanged program is {percent(abs(replay.error))} off.",
    )
