"""`gapfinder report`."""

import sys
from pathlib import Path
from typing import Any

import click

from gapfinder.cli_options import OUTPUT, TRACE, ledger_at, opened, trace_options
from gapfinder.cli_output import check_output
from gapfinder.errors import UsageError
from gapfinder.fleet.manifest import is_ledger


@click.command()
@TRACE
@OUTPUT
@trace_options
def report(path: Path, output: Path | None, chosen: dict[str, Any]) -> None:
    """Write the diagnosis of TRACE as a page to look at: one HTML file that needs no network.

    It has the ledger of each step, and timelines of those that matter: click a step to see what the GPU waited for.
    Of the ledger of a fleet it shows causes over ranks and days, lost time by rank and step, and the ranks that stand out.
    """
    from gapfinder.report.html import render

    check_output(output, path)
    if output is None and sys.stdout.isatty():
        raise UsageError("a page is nothing for a terminal: name a file with -o report.html")
    if is_ledger(path):
        from gapfinder.report import fleet

        with ledger_at(path, chosen) as ledger:
            text = fleet.render(ledger)
    else:
        with opened(path, chosen) as trace:
            text = render(trace)
    if output:
        output.write_text(text)
    else:
        click.echo(text, nl=False)
