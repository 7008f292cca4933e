"""Parses gates: a quantity, a comparison sign, and a limit with its unit, for example `lost>20%` or `step>+3%`."""

import re
from collections.abc import Collection

from gapfinder.errors import UsageError, did_you_mean
from gapfinder.gates.gate import Gate

STEP, COMPUTE, LOST = "step", "compute", "lost"
_GATE = re.compile(r"\s*(\w+)\s*(>=|<=|>|<)\s*([+-]?)\s*(\d{1,15}(?:\.\d{1,9})?)\s*(%|ns|us|ms|s)\s*")
_EXPECTED = "give a quantity, one of > >= < <=, and a limit with % ns us ms or s, in quotes, as in 'lost>20%'"


def quantities(causes: Collection[str]) -> list[str]:
    """The names that a gate can use: step (its time), compute, lost (all lost time), and each cause (its lost time)."""
    return [STEP, COMPUTE, LOST, *sorted(causes)]


def parse(text: str, causes: Collection[str], *, changes: bool) -> Gate:
    """Parse a gate.

    `causes` are the known causes; `changes` allows gates about a change, such as `step>+3%`. Raises UsageError.
    """
    known = quantities(causes)
    if not (match := _GATE.fullmatch(text)):
        raise UsageError(f"{text!r} is not a gate: {_EXPECTED}; the quantities are {', '.join(known)}")
    quantity, sign, direction, limit, unit = match.groups()
    if quantity not in known:
        raise UsageError(
            f"{text!r}: there is no quantity {quantity!r}{did_you_mean(quantity, known)}; the quantities are {', '.join(known)}"
        )
    if direction and not changes:
        raise UsageError(f"{text!r}: {direction}{limit}{unit} is a change, which only compare can check; leave {direction} out")
    if quantity == STEP and unit == "%" and not direction:
        instead = "a time as in 'step>100ms'" + (", or a change as in 'step>+3%'" if changes else "")
        raise UsageError(f"{text!r}: the step has no percentage; give {instead}")
    value = float(direction + limit)
    if not direction and _is_never_true(sign, value, unit):
        raise UsageError(f"{text!r} is never true: choose another limit")
    return Gate(text.strip(), quantity, sign, value, unit, change=bool(direction))


def _is_never_true(sign: str, limit: float, unit: str) -> bool:
    """Whether no share (at most 100 %) and no time is so."""
    if sign.startswith(">"):
        return unit == "%" and (limit > 100 or (sign == ">" and limit == 100))
    return sign == "<" and limit == 0
