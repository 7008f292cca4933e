"""One JSON object, for programs: what `diagnosis.document` says, with the job of the trace's ranks."""

import json

from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.diagnosis.document import document
from gapfinder.render.job.json import inside


def render(diagnosis: Diagnosis, *, width: int, color: bool) -> str:  # noqa: ARG001  the same for every renderer
    """The diagnosis as JSON."""
    found = document(diagnosis) | {"job": inside(diagnosis.job) if diagnosis.job else None}
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"
