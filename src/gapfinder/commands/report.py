"""`gapfinder report`."""

import sys
from pathlib import Path
from typing import Any

import click

from gapfinder.cli_options import OUTPUT, TRACE, opened, trace_options
from gapfinder.cli_output import check_output
from gapfinder.errors import UsageError


@click.command()
@TRACE
@OUTPUT
@trace_options
def report(path: Path, output: Path | None, chosen: dict[str, Any]) -> None:
    """Write the diagnosis of TRACE as a page to look at: one HTML file that needs no network.

    It has the ledger of each step, and timelines of those that matter: click a step to see what the GPU waited for.
    """
    from gapfinder.report.html import render

    check_output(output, path)
    if output is None and sys.stdout.isatty():
        raise UsageError("a page is nothing for a terminal: name a file with -o report.html")
    with opened(path, chosen) as trace:
        text = render(trace)
    if output:
        output.write_text(text)
    else:
        click.echo(text, nl=False)
