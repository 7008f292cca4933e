"""Gates on a trace by itself."""

from collections.abc import Iterable
from dataclasses import replace

from gapfinder.diagnosis.model import Diagnosis
from gapfinder.gates.check import check
from gapfinder.gates.expression import parse
from gapfinder.gates.facts import facts
from gapfinder.trace import Trace


def with_gates(trace: Trace, diagnosis: Diagnosis, gates: Iterable[str]) -> Diagnosis:
    """The diagnosis of a trace with what came of each gate. Raises UsageError where one is none, or is about a change."""
    parsed = [parse(gate, trace.config.causes, changes=False) for gate in gates]
    if not parsed:
        return diagnosis
    known = facts(trace, diagnosis)
    return replace(diagnosis, gates=[check(gate, known) for gate in parsed])
