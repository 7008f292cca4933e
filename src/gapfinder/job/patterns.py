"""How the job is made parallel, where that is to be seen: what a pipeline or tensor parallelism costs is nobody's fault."""

from collections.abc import Mapping

from gapfinder.job.database import JobDatabase
from gapfinder.pipeline.causes import CauseSpec

PIPELINE, TENSOR = "pipeline parallel", "tensor parallel"
MANY, MOSTLY = 4, 0.8  # all-reduces a step, and the share of them that lie bare between two pieces of compute


def pattern(job: JobDatabase) -> str | None:
    """One of the two, else None: data parallelism, or nothing that can be told.

    A pipeline sends and receives. Tensor parallelism sums up every layer's output, and computes on with it: its all-reduces
    alternate with compute. Those of data parallelism run beside the backward pass, or all after it.
    """
    if job.rows("SELECT 1 FROM matches WHERE point_to_point LIMIT 1"):
        return PIPELINE
    teams = job.rows("SELECT * FROM serial_teams WHERE kind = 'AllReduce'")
    if any(team["times_per_step"] >= MANY and team["serial_share"] >= MOSTLY for team in teams):
        return TENSOR
    return None


def by_design(shape: str | None, causes: Mapping[str, CauseSpec]) -> frozenset[str]:
    """The causes that belong to it, as their files say."""
    return frozenset(cause for cause, spec in causes.items() if shape in spec.by_design_in)
