"""`gapfinder diagnose`."""

import shutil
import sys
from pathlib import Path

import click

from gapfinder.cli_options import OUTPUT, TRACE, analysed, analysis_options
from gapfinder.options import Options
from gapfinder.render import formats, renderer

PLAIN_WIDTH = 80
WIDEST = 100


@click.command()
@TRACE
@click.option("--format", "format_", type=click.Choice(formats()), default="text", show_default=True, help="How to show it.")
@OUTPUT
@analysis_options
def diagnose(trace: Path, format_: str, output: Path | None, options: Options, config: Path | None) -> None:
    """Name the cause of every idle nanosecond in TRACE, and what to change.

    TRACE is a report (.nsys-rep), or an SQLite or Parquet export of one.
    """
    from gapfinder.diagnosis.build import diagnose as build

    with analysed(trace, options, config) as analysis:
        diagnosis = build(analysis)
    to_terminal = output is None and sys.stdout.isatty()
    width = min(WIDEST, shutil.get_terminal_size().columns) if to_terminal else PLAIN_WIDTH
    text = renderer(format_).render(diagnosis, width=width, color=to_terminal)
    if output:
        output.write_text(text)
    else:
        click.echo(text, nl=False)
