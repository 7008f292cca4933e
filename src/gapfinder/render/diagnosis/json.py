"""The diagnosis as one JSON object, for programs: `diagnosis.document`."""

from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.diagnosis.document import document
from gapfinder.units import as_json


def render(diagnosis: Diagnosis, *, width: int, color: bool) -> str:  # noqa: ARG001  part of the protocol
    """The diagnosis as JSON."""
    return as_json(document(diagnosis), indent=1)
