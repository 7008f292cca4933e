"""`gapfinder compare`."""

from functools import partial
from pathlib import Path
from typing import Any

import click

from gapfinder.cli_options import FAIL_ON, OUTPUT, opened, trace_options
from gapfinder.cli_output import check_output, end, parse_gates, write
from gapfinder.errors import UsageError
from gapfinder.render.comparison import formats, renderer

PATH = click.Path(path_type=Path)


@click.command()
@click.argument("before", type=PATH)
@click.argument("after", type=PATH)
@click.argument("more", type=PATH, nargs=-1)
@click.option("--format", "format_", type=click.Choice(formats()), default="text", show_default=True, help="How to show it.")
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
    """Tell whether AFTER is faster than BEFORE, by how much, and what became of each cause.

    With MORE traces it is a trend: each is compared with BEFORE, and the last one in full. A gate is about the last
    trace; with + or - before its limit, about the change since BEFORE, as 'step>+3%'.
    """
    from gapfinder.comparison.build import compare as build
    from gapfinder.comparison.measure import measure

    check_output(output, before, after, *more)
    gates = parse_gates(fail_on, format_, chosen["config"], changes=True)
    measured = []
    for path in (before, after, *more):
        try:
            with opened(path, chosen) as trace:
                measured.append(measure(trace))
        except UsageError as error:
            raise UsageError(f"{path}: {error}") from error
    comparison = build(measured, gates)
    write(partial(renderer(format_).render, comparison), output)
    end(comparison.gates, format_, output)
