"""The answer to a what-if as data. Renderers show these fields and compute nothing."""

from dataclasses import dataclass, field

from gapfinder.display import Displayable

SCHEMA = "gapfinder.whatif/1"


@dataclass(frozen=True)
class Answer:
    """One change: what it matched in the trace, and the predicted step time with it alone (ns; None if nothing is predicted).

    `predicted_range_ns` and `why_range` are as in the diagnosis of a cause.
    """

    change: str
    matched: str
    predicted_step_ns: int | None
    predicted_range_ns: tuple[int, int] | None = None
    why_range: str | None = None


@dataclass(frozen=True, repr=False)
class WhatIf(Displayable):
    """The answers for one trace. `step_ns` is the measured mean step, `together_step_ns` the predicted step with all changes.

    `unit` is what a step is: step, token, the kind of a regime without steps, or window, if the trace has no steps.

    `replay_error` is how far the unchanged replay is from the measured step, as a share of it; None if nothing was replayed.
    `note` says why nothing is predicted, or what the prediction leaves out; None if there is nothing to say. `damage` are the
    notes on lost or wrong rows, as in a diagnosis: where there are any, the prediction may be wrong.
    """

    trace: str
    steps: int
    step_ns: float
    replay_error: float | None
    changes: list[Answer]
    together_step_ns: int | None
    note: str | None
    unit: str = "step"
    damage: list[str] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"<WhatIf of {self.trace!r}: {[answer.change for answer in self.changes]}>"
