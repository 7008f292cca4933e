"""Checks gates against the quantities of a trace, or of a trace and the one before it."""

import operator
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from math import inf

from gapfinder.gates.expression import STEP, parse
from gapfinder.gates.gate import Gate, GateResult
from gapfinder.system.texts import texts
from gapfinder.units import NS, duration

COMPARE = {">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le}
MAX_DIGITS = 9
NO_STEPS = "no steps were found (name the step's NVTX range with --step)"


@dataclass(frozen=True)
class Quantities:
    """What gates compare: the share of the window (0 to 1) of each quantity, and the mean time of a step.

    `step_ns` is None if the trace has no steps. `unknown` says for some quantities why the trace cannot tell them, and `obstacle`
    why it can tell none of them for certain.
    """

    step_ns: float | None
    shares: dict[str, float]
    unknown: dict[str, str]
    obstacle: str | None = None


class UnknownError(Exception):
    """The trace cannot tell a quantity; the message says why."""


def check_gates(gates: Iterable[str], causes: Collection[str], quantities: Callable[[], Quantities]) -> list[GateResult]:
    """Parse and check gates on one trace or job. `quantities` is called only if there is a gate.

    Raises UsageError if a text is not a gate, or is a gate about a change.
    """
    parsed = [parse(gate, causes, changes=False) for gate in texts(gates)]
    if not parsed:
        return []
    known = quantities()
    return [check(gate, known) for gate in parsed]


def check(gate: Gate, after: Quantities, before: Quantities | None = None, obstacle: str | None = None) -> GateResult:
    """Check a gate on the trace `after`. For a gate about a change, `obstacle` says why the traces cannot be compared."""
    try:
        value = _change(gate, after, before, obstacle) if gate.change else _value(gate, after)
    except UnknownError as why:
        return GateResult(gate.text, passed=False, result=f"cannot be known: {why}", value=None)
    failed = COMPARE[gate.sign](value, gate.limit)
    if value == inf:
        return GateResult(gate.text, not failed, f"found {duration(_per_step_ns(gate, after))} a step, and none before", None)
    return GateResult(gate.text, not failed, f"found {_written(value, gate)}", value)


def _value(gate: Gate, quantities: Quantities) -> float:
    if gate.unit == "%":
        return 100 * _share(gate, quantities)
    return _per_step_ns(gate, quantities) / NS[gate.unit]


def _change(gate: Gate, after: Quantities, before: Quantities | None, obstacle: str | None) -> float:
    if before is None or obstacle:
        raise UnknownError(obstacle or "there is nothing to compare with")
    before_ns, after_ns = (_per_step_ns(gate, quantities) for quantities in (before, after))
    if gate.unit != "%":
        return (after_ns - before_ns) / NS[gate.unit]
    if before_ns == 0:
        return inf if after_ns > 0 else 0.0
    return 100 * (after_ns / before_ns - 1)


def _share(gate: Gate, quantities: Quantities) -> float:
    if quantities.obstacle:
        raise UnknownError(quantities.obstacle)
    if gate.quantity in quantities.unknown:
        raise UnknownError(quantities.unknown[gate.quantity])
    return quantities.shares[gate.quantity]


def _per_step_ns(gate: Gate, quantities: Quantities) -> float:
    share = _share(gate, quantities)
    if quantities.step_ns is None:
        raise UnknownError(NO_STEPS)
    return share * quantities.step_ns


def _written(value: float, gate: Gate) -> str:
    """The value with two decimals, or more if it takes more to show that it differs from the limit."""
    plus = "+" if gate.change else ""
    texts = (f"{value:{plus}.{digits}f}" for digits in range(2, MAX_DIGITS))
    text = next((text for text in texts if float(text) != gate.limit or value == gate.limit), f"{value:{plus}}")
    what = " a step" if gate.unit != "%" and gate.quantity != STEP else ""
    return f"{text} {gate.unit}{what}"
