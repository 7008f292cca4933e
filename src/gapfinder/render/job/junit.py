"""The gates of a job as JUnit XML, for CI systems."""

from gapfinder.diagnosis.job import Job
from gapfinder.render.junit import junit


def render(job: Job, *, width: int, color: bool) -> str:  # noqa: ARG001  part of the protocol
    """One test suite with a test case for each gate."""
    return junit("diagnose", job.traces, job.gates)
