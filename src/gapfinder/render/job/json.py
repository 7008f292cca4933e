"""The diagnosis of a job as one JSON object, for programs: `diagnosis.document`."""

from gapfinder.diagnosis.document import job_document
from gapfinder.diagnosis.job import Job
from gapfinder.units import as_json


def render(job: Job, *, width: int, color: bool) -> str:  # noqa: ARG001  part of the protocol
    """The diagnosis of the job as JSON."""
    return as_json(job_document(job), indent=1)
