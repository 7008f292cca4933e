"""The diagnosis as one JSON object, for programs: `diagnosis.document`."""

import json

from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.diagnosis.document import document


def render(diagnosis: Diagnosis, *, width: int, color: bool) -> str:  # noqa: ARG001  part of the protocol
    """The diagnosis as JSON."""
    return json.dumps(document(diagnosis), indent=1, ensure_ascii=False) + "\n"
