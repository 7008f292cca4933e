"""`gapfinder whatif`."""

from functools import partial
from pathlib import Path

import click

from gapfinder.cli_options import OUTPUT, TRACE, analysed, trace_options
from gapfinder.cli_output import check_output, write
from gapfinder.errors import UsageError
from gapfinder.options import Options
from gapfinder.render.whatif import formats, renderer


@click.command()
@TRACE
@click.option(
    "--without",
    multiple=True,
    metavar="WHAT",
    help="Leave out a cause (host_sync), NVTX ranges (nvtx:checkpoint), a line (line:train.py:40), or waiting (stream:20).",
)
@click.option(
    "--speed-up",
    multiple=True,
    metavar="WHAT=F",
    help="Make kernels (kernel:'*elementwise*'=2), copies (copy=1.5, copy:h2d=2) or CPU time (cpu=1.2) F times as fast.",
)
@click.option("--format", "format_", type=click.Choice(formats()), default="text", show_default=True, help="How to show it.")
@OUTPUT
@trace_options
def whatif(
    trace: Path,
    without: tuple[str, ...],
    speed_up: tuple[str, ...],
    format_: str,
    output: Path | None,
    options: Options,
    config: Path | None,
) -> None:
    """Predict the step time of TRACE with something left out or faster, each change alone and all together.

    By a replay of the trace, which leaves everything else as it was. Both options may be repeated.
    """
    from gapfinder.whatif import grammar
    from gapfinder.whatif.answer import answer

    check_output(output, trace)
    asked = [*map(grammar.without, without), *map(grammar.speed_up, speed_up)]
    if not asked:
        raise UsageError(f"nothing to change: give --without {grammar.WITHOUT}; or --speed-up {grammar.SPEED_UP}")
    with analysed(trace, options, config) as analysis:
        found = answer(analysis, asked)
    write(partial(renderer(format_).render, found), output)
