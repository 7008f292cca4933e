"""Diagnoses a job in files: opens each trace, keeps what the job needs of it, and closes it again."""

from collections.abc import Callable, Sequence
from pathlib import Path

from gapfinder.config import Config
from gapfinder.errors import TraceError
from gapfinder.job.build import build
from gapfinder.job.database import JobDatabase
from gapfinder.job.extract import extract
from gapfinder.job.model import Job
from gapfinder.job.rank import Rank
from gapfinder.options import Options
from gapfinder.trace import Trace, open_trace


def diagnose_job(paths: Sequence[Path], options: Options, config: Config, progress: Callable[[str], None]) -> Job:
    """The diagnosis of a job of several traces. Raises TraceError where one is unusable, or they share no collective."""
    with JobDatabase() as job:
        ranks: list[Rank] = []
        for path in paths:
            with open_trace(path, options, config, lambda doing, path=path: progress(f"{path.name}: {doing}"), fresh=True) as trace:
                ranks += extract(trace, trace.diagnose(), job, len(ranks))
        progress("joining the ranks")
        found = build(ranks, job, config.causes) if ranks else None
    if found is None:
        raise TraceError(
            f"{', '.join(str(path) for path in paths)} are no ranks of one job: no collective was found on two of them; "
            "diagnose each by itself, or capture all ranks while they communicate"
        )
    return found


def job_of(trace: Trace) -> Job | None:
    """The job in one trace with several ranks; None where it has no two that share a collective."""
    if len(trace.rows("SELECT 1 FROM layers.ranks")) < 2:
        return None
    with JobDatabase() as job:
        return build(extract(trace, trace.diagnose(), job, 0), job, trace.config.causes)
