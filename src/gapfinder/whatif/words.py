"""The sentences and table rows of a what-if that all renderers share."""

from collections.abc import Iterator

from gapfinder.replay.words import unchanged
from gapfinder.units import between, clean, count, duration, percent
from gapfinder.whatif.whatif import Answer, WhatIf

UNKNOWN = "-"


def subject(answer: WhatIf) -> str:
    """The measured steps, and the error of the unchanged replay."""
    error = "" if answer.replay_error is None else f"; {unchanged(answer.replay_error, answer.unit)}"
    return f"{count(answer.steps, answer.unit)} of {duration(answer.step_ns)}{error}"


def rows(answer: WhatIf) -> Iterator[tuple[str, str, str, str]]:
    """A row for each change, and one for all together: the change, the predicted step, the saved share, and what it matched."""
    for change in answer.changes:
        why = f"; {change.why_range}" if change.why_range else ""
        yield clean(change.change), *_alone(answer, change), change.matched + why
    if len(answer.changes) > 1:
        yield "all together", *_step(answer, answer.together_step_ns), ""


def _alone(answer: WhatIf, change: Answer) -> tuple[str, str]:
    if change.predicted_range_ns is None:
        return _step(answer, change.predicted_step_ns)
    low_ns, high_ns = change.predicted_range_ns
    least, most = (percent(1 - step_ns / answer.step_ns) for step_ns in (high_ns, low_ns))
    return between(low_ns, high_ns), f"{least} to {most}"


def _step(answer: WhatIf, step_ns: int | None) -> tuple[str, str]:
    if step_ns is None:
        return UNKNOWN, UNKNOWN
    return duration(step_ns), percent(1 - step_ns / answer.step_ns)
