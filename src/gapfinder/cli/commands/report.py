"""`gapfinder report`."""

import sys
from pathlib import Path
from typing import Any

import click

import gapfinder
from gapfinder.cli.options import OUTPUT, TRACES, ledger_at, opened, progress, trace_options
from gapfinder.cli.output import check_output
from gapfinder.errors import UsageError
from gapfinder.ingest.ledger import is_ledger


@click.command()
@TRACES
@OUTPUT
@trace_options
def report(paths: tuple[Path, ...], output: Path | None, chosen: dict[str, Any]) -> None:
    """Write the diagnosis of TRACE as a page to look at: one HTML file that needs no network.

    It has the ledger of each step, and timelines of those that matter: click a step to see what the GPU waited for.
    Several traces are the ranks of one job, and so are a folder of traces and a pattern in quotes: who was late in which step?
    Of the ledger of a fleet it shows causes over ranks and days, lost time by rank and step, and the ranks that stand out.
    """
    from gapfinder.job.paths import all_traces

    ledger_only = len(paths) == 1 and is_ledger(paths[0])
    traces = list(paths) if ledger_only else all_traces(paths)
    check_output(output, *traces)
    if output is None and sys.stdout.isatty():
        raise UsageError("a page is nothing for a terminal: name a file with -o report.html")
    text = _fleet(paths[0], chosen) if ledger_only else _trace(traces[0], chosen) if len(traces) == 1 else _job(traces, chosen)
    if output:
        output.write_text(text)
    else:
        click.echo(text, nl=False)


def _fleet(path: Path, chosen: dict[str, Any]) -> str:
    from gapfinder.report.fleet import page_of

    with ledger_at(path, chosen) as ledger:
        return page_of(ledger)


def _trace(path: Path, chosen: dict[str, Any]) -> str:
    from gapfinder.report.trace import page_of

    with opened(path, chosen) as trace:
        return page_of(trace, trace.diagnose())


def _job(paths: list[Path], chosen: dict[str, Any]) -> str:
    from gapfinder.report.job import page_of

    with progress() as tell:
        return page_of(gapfinder.diagnose_job(*paths, **chosen, progress=tell))
