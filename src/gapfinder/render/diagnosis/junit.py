"""The gates of a diagnosis as JUnit XML, for CI systems."""

from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.render.junit import junit


def render(diagnosis: Diagnosis, *, width: int, color: bool) -> str:  # noqa: ARG001  part of the protocol
    """One test suite with a test case for each gate."""
    return junit("diagnose", [diagnosis.trace], diagnosis.gates)
