"""What came of gates on a trace or a job by itself."""

from collections.abc import Callable, Collection, Iterable

from gapfinder.gates.check import check
from gapfinder.gates.expression import parse
from gapfinder.gates.facts import Facts
from gapfinder.gates.gate import Checked


def checked(gates: Iterable[str], causes: Collection[str], facts: Callable[[], Facts]) -> list[Checked]:
    """Each gate, as it is written, on these facts. Raises UsageError where one is none, or is about a change."""
    parsed = [parse(gate, causes, changes=False) for gate in gates]
    if not parsed:
        return []
    known = facts()
    return [check(gate, known) for gate in parsed]
