"""A gate, what came of it, and how that is told."""

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


def outcome(gate: Checked) -> str:
    """What came of a gate, in one word."""
    return "passed" if gate.passed else "FAILED"


def line(gate: Checked) -> str:
    """What was checked, what was found, and what came of it."""
    return f"{outcome(gate)}  {gate.gate}: {gate.found}"
