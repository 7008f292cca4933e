"""A gate, and the result of its check."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Gate:
    """A condition that fails the command, for example `lost>20%`: the gate fails if `quantity` `sign` `limit` holds.

    `text` is the gate as the user wrote it. `unit` is % or a unit of time, and `limit` a number in it. If `change` is true, the
    gate is about the difference from the trace before.
    """

    text: str
    quantity: str
    sign: str
    limit: float
    unit: str
    change: bool


@dataclass(frozen=True)
class GateResult:
    """A gate that was checked.

    `result` says in words what was found; `value` is the number in the gate's unit, None if unknown.
    """

    gate: str
    passed: bool
    result: str
    value: float | None


def outcome(gate: GateResult) -> str:
    """`passed` or `FAILED`."""
    return "passed" if gate.passed else "FAILED"


def line(gate: GateResult) -> str:
    """One line: the outcome, the gate, and what was found."""
    return f"{outcome(gate)}  {gate.gate}: {gate.result}"
