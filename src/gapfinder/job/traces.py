"""Diagnoses a job in files: opens each trace, extracts what the job needs, and closes it again."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

from gapfinder.diagnosis.diagnose import diagnose as diagnose_one
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
from gapfinder.pipeline.stages import one_of
from gapfinder.system.scratch import keep

SAME_COLLECTIVES = 2  # at the same times: more than chance
LEAST = 2  # traces, for which it takes a job
MAX_JOB_ACTIVITIES = 500_000  # of all replayed ranks: they take 0.4 GB, and up to a second for each change


def diagnose_job(
    paths: Sequence[Path], options: Options, config: Config, progress: Callable[[str], None], *, skip_unusable: bool = False
) -> tuple[Job, list[Measured]]:
    """The diagnosis of a job of several traces, and the measurements of each trace.

    With `skip_unusable`, traces that cannot be used are left out, if two are left, and a note names them. Otherwise raises
    TraceError if a trace cannot be used, or if the traces share no collective, and UsageError if an option is wrong.
    """
    options = options.for_rank()
    for path in paths:
        keep(path)
    with JobDatabase() as database:
        number_of = numbers_of(paths)
        ranks: list[Rank] = []
        parts: list[Measured] = []
        no_communication: list[str] = []
        unusable: dict[str, TraceError] = {}
        for place, path in enumerate(paths):
            try:
                with open_trace(path, options, config, one_of(progress, place, len(paths), path.name)) as trace:
                    part = measure(trace, diagnose_one(trace))
                    own = extract(trace, part.diagnosis, database, numbering(number_of.get(path), ranks))
            except UsageError as error:
                raise UsageError(f"{path}: {error}") from error
            except TraceError as error:
                if len(paths) == 1:
                    raise
                if not skip_unusable:
                    raise TraceError(f"{error}; or leave it out of the job with --skip-unusable") from error
                unusable[str(path)] = error
                continue
            parts.append(part)
            if twice := same_recording(own, ranks):
                raise UsageError(f"{own[0].trace} and {twice.trace} hold the same recording: give each rank once")
            ranks = _replayable([*ranks, *own])
            no_communication += [] if own else [str(path)]
        if unusable and len(paths) - len(unusable) < LEAST:
            why = next(iter(unusable.values()))
            raise TraceError(f"{why}; without it there are not two traces left for a job: diagnose the other by itself")
        progress("joining the ranks")
        diagnosis = diagnose(ranks, database, config.causes, no_communication, list(unusable))
    if diagnosis is None:
        raise TraceError(
            f"{', '.join(map(str, paths))}: in the window of the first, no two of these traces share a collective, so they are "
            "not ranks of one job; leave out those of another, diagnose each by itself, look at more with --window all, or "
            "capture all ranks at the same time"
        )
    left_out = [f"Left out, because it cannot be used: {error}." for error in unusable.values()]
    return replace(diagnosis, notes=[*left_out, *diagnosis.notes]), parts


def same_recording(own: Sequence[Rank], others: Sequence[Rank]) -> Rank | None:
    """A rank that is one of `own` too, for example from a copy or another export of its report; None if there is none.

    Two GPUs never start, or end, most of their collectives at the same nanoseconds of two clocks, nor have most of them the same
    lengths and distances, which tell a copy whose times are shifted.
    """
    for one, other in product(own, others):
        least = max(SAME_COLLECTIVES, 0.5 * min(len(one.collectives), len(other.collectives)))
        if any(len(own_marks & marks) >= least for own_marks, marks in zip(one.marks, other.marks, strict=True)):
            return other
    return None


def numbering(number: int | None, ranks: Sequence[Rank]) -> Callable[[int], Sequence[int]]:
    """A function that numbers the ranks of a trace: a single rank by the trace's name, others by the next free numbers."""
    taken = {rank.number for rank in ranks}
    free = max(taken, default=-1) + 1
    return lambda count: [number] if count == 1 and number is not None and number not in taken else range(free, free + count)


def _replayable(ranks: list[Rank]) -> list[Rank]:
    """The ranks, without their timelines if these take too much memory."""
    activities = sum(len(rank.timeline.activities) for rank in ranks if rank.timeline)
    return ranks if activities <= MAX_JOB_ACTIVITIES else [replace(rank, timeline=None, changes={}) for rank in ranks]
