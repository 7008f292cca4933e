"""The answer to a what-if as data. Every renderer shows this and nothing else."""

from dataclasses import dataclass

from gapfinder.shown import Shown

SCHEMA = "gapfinder.whatif/1"


@dataclass(frozen=True)
class Answer:
    """One change: what of the trace it means, and the step with it alone (ns); None where the replay cannot be trusted."""

    change: str
    matched: str
    predicted_step_ns: int | None


@dataclass(frozen=True, repr=False)
class WhatIf(Shown):
    """All answers on one trace. `step_ns` is the measured mean, `together_step_ns` the step with all changes at once.

    `replay_error` is how far the unchanged replay is from the measured step, a share; None where nothing could be replayed.
    `note` says why nothing is predicted, where nothing is.
    """

    trace: str
    steps: int
    step_ns: float
    replay_error: float | None
    changes: list[Answer]
    together_step_ns: int | None
    note: str | None

    def __repr__(self) -> str:
        return f"<WhatIf of {self.trace!r}: {[answer.change for answer in self.changes]}>"
