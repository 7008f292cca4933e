"""The sentences and table rows of a what-if that all renderers share."""

from collections.abc import Iterator

from gapfinder.replay.words import unchanged
from gapfinder.units import clean, count, duration, percent
from gapfinder.whatif.whatif import WhatIf

UNKNOWN = "-"


def subject(answer: WhatIf) -> str:
    """The measured steps, and the error of the unchanged replay."""
    error = "" if answer.replay_error is None else f"; {unchanged(answer.replay_error, answer.unit)}"
    return f"{count(answer.steps, answer.unit)} of {duration(answer.step_ns)}{error}"


def rows(answer: WhatIf) -> Iterator[tuple[str, str, str, str]]:
    """A row for each change, and one for all together: the change, the predicted step, the saved share, and what it matched."""
    for change in answer.changes:
        yield clean(change.change), *_step(answer, change.predicted_step_ns), change.matched
    if len(answer.changes) > 1:
        yield "all together", *_step(answer, answer.together_step_ns), ""


def _step(answer: WhatIf, step_ns: int | None) -> tuple[str, str]:
    if step_ns is None:
        return UNKNOWN, UNKNOWN
    return duration(step_ns), percent(1 - step_ns / answer.step_ns)
