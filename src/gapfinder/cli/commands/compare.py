"""`gapfinder compare`."""

from functools import partial
from pathlib import Path
from typing import Any

import click

import gapfinder
from gapfinder.cli.options import FAIL_ON, OUTPUT, PATH, format_option, parsed, trace_options
from gapfinder.cli.output import check_gates_format, check_output, emit, report_gates, write
from gapfinder.cli.progress import progress
from gapfinder.render import renderer


@click.command()
@click.argument("before", type=PATH)
@click.argument("after", type=PATH)
@click.argument("more", type=PATH, nargs=-1)
@format_option("comparison")
@OUTPUT
@FAIL_ON
@trace_options
def compare(
    before: Path,
    after: Path,
    more: tuple[Path, ...],
    format_: str,
    output: Path | None,
    fail_on: tuple[str, ...],
    chosen: dict[str, Any],
) -> None:
    """Say whether AFTER is faster than BEFORE, by how much, and how each cause changed.

    With MORE traces the output is a trend: each trace is compared with BEFORE, and the last one in full. A gate checks the last
    trace. With + or - before its limit, as in 'step>+3%', it checks the change since BEFORE.
    """
    check_output(output, before, after, *more, config=chosen["config"])
    check_gates_format(fail_on, format_)
    with progress() as update:
        comparison = gapfinder.compare(before, after, *more, **chosen, gates=fail_on, progress=update)
        if format_ == "html":
            from gapfinder.report.comparison import page_of
            from gapfinder.report.parts import parts_of_comparison

            page = page_of(comparison, parts_of_comparison(comparison, *parsed(chosen), update))
    if format_ == "html":
        emit(page, output)
    else:
        write(partial(renderer("comparison", format_).render, comparison), output)
    report_gates(comparison.gates, format_, output)
