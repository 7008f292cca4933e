"""What every renderer of a what-if says in words."""

from collections.abc import Iterator

from gapfinder.units import clean, count, duration, percent
from gapfinder.whatif.whatif import WhatIf

UNKNOWN = "-"


def subject(answer: WhatIf) -> str:
    """What is measured, and how well the replay repeats it."""
    error = "" if answer.replay_error is None else f"; unchanged, the replay is {percent(abs(answer.replay_error))} off"
    return f"{count(answer.steps, 'step')} of {duration(answer.step_ns)}{error}"


def rows(answer: WhatIf) -> Iterator[tuple[str, str, str, str]]:
    """For each change, and for all together: its name, the predicted step, how much less that is, and what it means here."""
    for one in answer.changes:
        yield clean(one.change), *_step(answer, one.predicted_step_ns), one.matched
    if len(answer.changes) > 1:
        yield "all together", *_step(answer, answer.together_step_ns), ""


def _step(answer: WhatIf, step_ns: int | None) -> tuple[str, str]:
    if step_ns is None:
        return UNKNOWN, UNKNOWN
    return duration(step_ns), percent(1 - step_ns / answer.step_ns)
