"""What is said of each gate."""

from gapfinder.gates.gate import Checked


def outcome(gate: Checked) -> str:
    """One word."""
    return "passed" if gate.passed else "FAILED"


def line(gate: Checked) -> str:
    """What was checked, what was found, and what came of it."""
    return f"{outcome(gate)}  {gate.gate}: {gate.found}"
