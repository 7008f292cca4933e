"""`gapfinder report`."""

import sys
from pathlib import Path
from typing import Any

import click

import gapfinder
from gapfinder.cli.options import FORCE, OUTPUT, SKIP_UNUSABLE, TRACES, opened, opened_fleet, parsed, trace_options
from gapfinder.cli.output import check_output, emit, say_written
from gapfinder.cli.progress import progress
from gapfinder.errors import UsageError
from gapfinder.ingest.manifest import is_fleet
from gapfinder.system.writing import check_free


@click.command()
@TRACES
@OUTPUT
@FORCE
@SKIP_UNUSABLE
@trace_options
def report(paths: tuple[Path, ...], *, output: Path | None, force: bool, skip_unusable: bool, chosen: dict[str, Any]) -> None:
    """Write the diagnosis of TRACE as a page: one HTML file that works without a network.

    The page has the ledger of each step, and one timeline of all that was recorded: what the GPU waited for, and where.
    Several traces are the ranks of one job: which rank was late in which step? A folder of traces, or a pattern in quotes, is a
    job, too. The page of a fleet shows causes over ranks and days, lost time by rank and step, and outlier ranks.
    """
    from gapfinder.job.paths import all_traces

    of_fleet = len(paths) == 1 and is_fleet(paths[0])
    traces = list(paths) if of_fleet else all_traces(paths)
    check_output(output, *paths, *traces, config=chosen["config"])
    if output:
        check_free(output, force=force)
    elif sys.stdout.isatty():
        raise UsageError("a page cannot be shown in a terminal: name a file, for example with -o report.html")
    if of_fleet:
        text = _fleet(paths[0], chosen)
    elif len(traces) == 1:
        text = _trace(traces[0], chosen)
    else:
        text = _job(traces, chosen | {"skip_unusable": skip_unusable})
    emit(text, output)
    if output:
        say_written(output)


def _fleet(path: Path, chosen: dict[str, Any]) -> str:
    from gapfinder.report.fleet import page_of

    with opened_fleet(path, chosen) as fleet:
        return page_of(fleet)


def _trace(path: Path, chosen: dict[str, Any]) -> str:
    from gapfinder.report.trace import page_of

    with progress() as update, opened(path, chosen, update) as trace:
        return page_of(trace, trace.diagnose())


def _job(paths: list[Path], chosen: dict[str, Any]) -> str:
    from gapfinder.report.job import page_of
    from gapfinder.report.parts import parts_of_job

    with progress() as update:
        job = gapfinder.diagnose_job(*paths, **chosen, progress=update)
        return page_of(job, parts_of_job(job, *parsed(chosen), update))
