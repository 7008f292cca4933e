"""`gapfinder diagnose`."""

from functools import partial
from pathlib import Path
from typing import Any

import click

from gapfinder.cli_options import FAIL_ON, OUTPUT, TRACE, listing_options, opened
from gapfinder.cli_output import check_output, check_trace_gates, end, write
from gapfinder.render import formats, renderer


@click.command()
@TRACE
@click.option("--format", "format_", type=click.Choice(formats()), default="text", show_default=True, help="How to show it.")
@OUTPUT
@FAIL_ON
@listing_options
def diagnose(
    path: Path, format_: str, output: Path | None, fail_on: tuple[str, ...], chosen: dict[str, Any]
) -> None:
    """Name the cause of every idle nanosecond in TRACE, and what to change.

    TRACE is a report (.nsys-rep), or an SQLite or Parquet export of one.
    """
    check_output(output, path)
    check_trace_gates(fail_on, format_, chosen["config"])
    with opened(path, chosen) as trace:
        diagnosis = trace.diagnose(gates=fail_on)
    write(partial(renderer(format_).render, diagnosis), output)
    end(diagnosis.gates, format_, output)
