"""The diagnosis of a job as one JSON object, for programs: `diagnosis.document`."""

import json

from gapfinder.diagnosis.document import job_document
from gapfinder.diagnosis.job import Job


def render(job: Job, *, width: int, color: bool) -> str:  # noqa: ARG001  part of the protocol
    """The diagnosis of the job as JSON."""
    return json.dumps(job_document(job), indent=1, ensure_ascii=False) + "\n"
