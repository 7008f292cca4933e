"""The diagnosis as one JSON object, for programs: `diagnosis.document`, and the job if the trace has several ranks."""

import json

from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.diagnosis.document import document
from gapfinder.render.job.json import job_in_trace


def render(diagnosis: Diagnosis, *, width: int, color: bool) -> str:  # noqa: ARG001  part of the protocol
    """The diagnosis as JSON."""
    result = document(diagnosis) | {"job": job_in_trace(diagnosis.job) if diagnosis.job else None}
    return json.dumps(result, indent=1, ensure_ascii=False) + "\n"
