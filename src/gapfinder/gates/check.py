"""Checks gates against what is known of a trace, or of a trace and the one before it."""

import operator
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from math import inf

from gapfinder.gates.expression import NS, STEP, parse
from gapfinder.gates.gate import Checked, Gate
from gapfinder.units import duration

BEYOND = {">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le}
MOST_DIGITS = 9
NO_STEPS = "no steps were found (name the step's NVTX range with --step)"


@dataclass(frozen=True)
class Quantities:
    """Shares of the window by quantity, 0 to 1, the time of a step, and why a quantity is unknown.

    `step_ns` is None where the trace has no steps.
    """

    step_ns: float | None
    shares: dict[str, float]
    unknown: dict[str, str]


class UnknownError(Exception):
    """A quantity that a trace cannot tell; the message says why."""


def checked(gates: Iterable[str], causes: Collection[str], quantities: Callable[[], Quantities]) -> list[Checked]:
    """Check gates, as they are written, on one trace or job.

    Raises UsageError where one is no gate, or is about a change.
    """
    parsed = [parse(gate, causes, changes=False) for gate in gates]
    if not parsed:
        return []
    known = quantities()
    return [check(gate, known) for gate in parsed]


def check(gate: Gate, after: Quantities, before: Quantities | None = None, obstacle: str | None = None) -> Checked:
    """Check a gate against a trace; a change, against the trace before it, unless an `obstacle` forbids to compare them."""
    try:
        value = _change(gate, after, before, obstacle) if gate.change else _value(gate, after)
    except UnknownError as why:
        return Checked(gate.text, passed=False, found=f"cannot be known: {why}", value=None)
    failed = BEYOND[gate.sign](value, gate.limit)
    if value == inf:
        return Checked(gate.text, not failed, f"found {duration(_per_step_ns(gate, after))} a step, and none before", None)
    return Checked(gate.text, not failed, f"found {_written(value, gate)}", value)


def _value(gate: Gate, quantities: Quantities) -> float:
    if gate.unit == "%":
        return 100 * _share(gate, quantities)
    return _per_step_ns(gate, quantities) / NS[gate.unit]


def _change(gate: Gate, after: Quantities, before: Quantities | None, obstacle: str | None) -> float:
    if before is None or obstacle:
        raise UnknownError(obstacle or "there is nothing to compare with")
    was_ns, is_ns = (_per_step_ns(gate, quantities) for quantities in (before, after))
    if gate.unit != "%":
        return (is_ns - was_ns) / NS[gate.unit]
    if was_ns == 0:
        return inf if is_ns > 0 else 0.0
    return 100 * (is_ns / was_ns - 1)


def _share(gate: Gate, quantities: Quantities) -> float:
    if gate.quantity in quantities.unknown:
        raise UnknownError(quantities.unknown[gate.quantity])
    return quantities.shares[gate.quantity]


def _per_step_ns(gate: Gate, quantities: Quantities) -> float:
    share = _share(gate, quantities)
    if quantities.step_ns is None:
        raise UnknownError(NO_STEPS)
    return share * quantities.step_ns


def _written(value: float, gate: Gate) -> str:
    """With two decimals, or as many as it takes to tell the value from the limit."""
    plus = "+" if gate.change else ""
    texts = (f"{value:{plus}.{digits}f}" for digits in range(2, MOST_DIGITS))
    text = next((text for text in texts if float(text) != gate.limit or value == gate.limit), f"{value:{plus}}")
    what = " a step" if gate.unit != "%" and gate.quantity != STEP else ""
    return f"{text} {gate.unit}{what}"
