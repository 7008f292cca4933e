"""Gates as data: what was asked for, and what came of it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Gate:
    """Fails where the quantity is beyond the limit.

    `text` is the gate as it was written. `unit` is % or a unit of time, and `limit` a number in it; a `change` is
    measured from what the quantity was before.
    """

    text: str
    quantity: str
    sign: str
    limit: float
    unit: str
    change: bool


@dataclass(frozen=True)
class Checked:
    """A gate that was checked. `value` is what was found, in the gate's unit; None where it has no number."""

    gate: str
    passed: bool
    found: str
    value: float | None
