"""Whether a gate holds for a trace, or for a trace and the one before it."""

import operator
from math import inf

from gapfinder.gates.expression import NS, STEP
from gapfinder.gates.facts import Facts
from gapfinder.gates.gate import Checked, Gate
from gapfinder.units import duration

BEYOND = {">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le}
MOST_DIGITS = 9
NO_STEPS = "no steps were found (name the step's NVTX range with --step)"


class UnknownError(Exception):
    """A quantity that a trace cannot tell; the message says why."""


def check(gate: Gate, after: Facts, before: Facts | None = None, obstacle: str | None = None) -> Checked:
    """Check a gate against a trace; a change, against the trace before it, unless an `obstacle` forbids to compare them."""
    try:
        value = _change(gate, after, before, obstacle) if gate.change else _value(gate, after)
    except UnknownError as why:
        return Checked(gate.text, passed=False, found=f"cannot be known: {why}", value=None)
    failed = BEYOND[gate.sign](value, gate.limit)
    if value == inf:
        return Checked(gate.text, not failed, f"found {duration(_per_step_ns(gate, after))} a step, and none before", None)
    return Checked(gate.text, not failed, f"found {_written(value, gate)}", value)


def _value(gate: Gate, facts: Facts) -> float:
    if gate.unit == "%":
        return 100 * _share(gate, facts)
    return _per_step_ns(gate, facts) / NS[gate.unit]


def _change(gate: Gate, after: Facts, before: Facts | None, obstacle: str | None) -> float:
    if before is None or obstacle:
        raise UnknownError(obstacle or "there is nothing to compare with")
    was_ns, is_ns = (_per_step_ns(gate, facts) for facts in (before, after))
    if gate.unit != "%":
        return (is_ns - was_ns) / NS[gate.unit]
    if was_ns == 0:
        return inf if is_ns > 0 else 0.0
    return 100 * (is_ns / was_ns - 1)


def _share(gate: Gate, facts: Facts) -> float:
    if gate.quantity in facts.unknown:
        raise UnknownError(facts.unknown[gate.quantity])
    return facts.shares[gate.quantity]


def _per_step_ns(gate: Gate, facts: Facts) -> float:
    share = _share(gate, facts)
    if facts.step_ns is None:
        raise UnknownError(NO_STEPS)
    return share * facts.step_ns


def _written(value: float, gate: Gate) -> str:
    """With two decimals, or as many as it takes to tell the value from the limit."""
    plus = "+" if gate.change else ""
    texts = (f"{value:{plus}.{digits}f}" for digits in range(2, MOST_DIGITS))
    text = next((text for text in texts if float(text) != gate.limit or value == gate.limit), f"{value:{plus}}")
    what = " a step" if gate.unit != "%" and gate.quantity != STEP else ""
    return f"{text} {gate.unit}{what}"
