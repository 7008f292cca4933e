"""`gapfinder whatif`."""

from functools import partial
from pathlib import Path
from typing import Any

import click

from gapfinder.cli import completion
from gapfinder.cli.options import OUTPUT, TRACE, format_option, opened, trace_options
from gapfinder.cli.output import check_output, write
from gapfinder.cli.progress import progress
from gapfinder.render import renderer


@click.command()
@TRACE
@click.option(
    "--without",
    multiple=True,
    metavar="WHAT",
    shell_complete=completion.removable_causes,
    help="Remove a cause (host_sync), NVTX ranges (nvtx:checkpoint), a line (line:train.py:40), or a stream's waits (stream:20).",
)
@click.option(
    "--speed-up",
    multiple=True,
    metavar="WHAT=F",
    help="Make kernels (kernel:'*elementwise*'=2), copies (copy=1.5, copy:h2d=2) or CPU code (cpu=1.2) F times as fast.",
)
@format_option("whatif")
@OUTPUT
@trace_options
def whatif(
    path: Path,
    without: tuple[str, ...],
    speed_up: tuple[str, ...],
    format_: str,
    output: Path | None,
    chosen: dict[str, Any],
) -> None:
    """Predict the step time of TRACE with something removed or faster: each change alone, and all together.

    The prediction is a replay of the trace in which everything else stays as it was. Both options may be repeated.
    """
    from gapfinder.pipeline.config import read_config
    from gapfinder.whatif.grammar import parse_requests

    check_output(output, path, config=chosen["config"])
    parse_requests(without, speed_up, read_config(chosen["config"]).causes)  # report a mistake before a long trace is read
    with progress() as update, opened(path, chosen, update) as trace:
        answer = trace.whatif(without=without, speed_up=speed_up)
    write(partial(renderer("whatif", format_).render, answer), output)
