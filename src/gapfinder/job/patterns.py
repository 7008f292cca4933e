"""Detects pipeline and tensor parallelism, because some lost time is by design in them."""

from collections.abc import Mapping

from gapfinder.diagnosis.ranking import designed
from gapfinder.job.database import JobDatabase
from gapfinder.pipeline.cause_spec import CauseSpec

PIPELINE, TENSOR = "pipeline parallel", "tensor parallel"
# Tensor parallelism: at least this many all-reduces a step, and this share of them exposed between two pieces of compute.
MIN_ALL_REDUCES, MIN_SERIAL_SHARE = 4, 0.8


def pattern(database: JobDatabase) -> str | None:
    """The parallelism of the job: pipeline, tensor, or None (data parallelism, or unknown).

    The stages of a pipeline wait for each other. Tensor parallelism reduces the output of every layer before the next kernel, so
    its all-reduces alternate with compute. The all-reduces of data parallelism overlap the backward pass, or come after it.
    """
    if database.rows("SELECT 1 FROM matches WHERE in_turns LIMIT 1"):
        return PIPELINE
    teams = database.rows("SELECT * FROM serial_teams WHERE kind = 'AllReduce'")
    if any(team["times_per_step"] >= MIN_ALL_REDUCES and team["serial_share"] >= MIN_SERIAL_SHARE for team in teams):
        return TENSOR
    return None


def by_design(parallelism: str | None, causes: Mapping[str, CauseSpec]) -> frozenset[str]:
    """The causes that are by design in every program, or in this parallelism, as their files say."""
    return designed(causes) | {cause for cause, spec in causes.items() if parallelism in spec.by_design_in}
