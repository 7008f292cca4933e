"""Diagnoses a job in files: opens each trace, keeps what the job needs of it, and closes it again."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.diagnosis.job import Job
from gapfinder.diagnosis.measured import Measured, measure
from gapfinder.errors import TraceError, UsageError
from gapfinder.job.database import JobDatabase
from gapfinder.job.diagnose import diagnose
from gapfinder.job.extract import extract
from gapfinder.job.paths import numbers_of
from gapfinder.job.rank import Rank
from gapfinder.opening import open_trace
from gapfinder.options import Options
from gapfinder.pipeline.config import Config
from gapfinder.trace import OpenTrace

MAX_ACTIVITIES = 500_000  # of all ranks are replayed: 0.4 GB, and a second of Python for each change


def diagnose_job(
    paths: Sequence[Path], options: Options, config: Config, progress: Callable[[str], None]
) -> tuple[Job, list[Measured]]:
    """The diagnosis of a job of several traces, and what was measured of each.

    Raises TraceError where one is unusable, or they share no collective; UsageError where one lacks what was asked for.
    """
    with JobDatabase() as job:
        names = numbers_of(paths)
        ranks: list[Rank] = []
        parts: list[Measured] = []
        silent: list[str] = []
        for path in paths:
            try:
                with open_trace(path, options, config, _told(path, progress)) as trace:
                    parts.append(measure(trace))
                    own = extract(trace, parts[-1].diagnosis, job, _numbering(names.get(path), ranks))
            except UsageError as error:
                raise UsageError(f"{path}: {error}") from error
            ranks = _replayable([*ranks, *own])
            silent += [] if own else [str(path)]
        progress("joining the ranks")
        found = diagnose(ranks, job, config.causes, silent)
    if found is None:
        raise TraceError(
            f"{', '.join(map(str, paths))}: no collective was found on two of these traces, so they are no ranks of one job; "
            "diagnose each by itself, or capture all ranks at the same time"
        )
    return found, parts


def job_of(trace: OpenTrace, diagnosis: Diagnosis) -> Job | None:
    """The job in one trace of several GPUs; None where no two of them share a collective."""
    if len(diagnosis.devices) < 2 or len(trace.facts("SELECT 1 FROM rank_gpus LIMIT 2")) < 2:
        return None
    with JobDatabase() as job:
        return diagnose(extract(trace, diagnosis, job, range), job, trace.config.causes)


def _numbering(named: int | None, ranks: Sequence[Rank]) -> Callable[[int], Sequence[int]]:
    """The number in the name of a trace where that has one rank; else the next free ones."""
    taken = {rank.number for rank in ranks}
    free = max(taken, default=-1) + 1
    return lambda many: [named] if many == 1 and named is not None and named not in taken else range(free, free + many)


def _replayable(ranks: list[Rank]) -> list[Rank]:
    """Without their timelines where these take too much memory."""
    activities = sum(len(rank.timeline.activities) for rank in ranks if rank.timeline)
    return ranks if activities <= MAX_ACTIVITIES else [replace(rank, timeline=None, changes={}) for rank in ranks]


def _told(path: Path, progress: Callable[[str], None]) -> Callable[[str], None]:
    return lambda doing: progress(f"{path.name}: {doing}")
