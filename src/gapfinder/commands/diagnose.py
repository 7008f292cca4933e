"""`gapfinder diagnose`."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from gapfinder.cli_options import FAIL_ON, OUTPUT, TRACE, analysed, analysis_options
from gapfinder.cli_output import check_output, end, parse_gates, write
from gapfinder.options import Options
from gapfinder.render import formats, renderer


@click.command()
@TRACE
@click.option("--format", "format_", type=click.Choice(formats()), default="text", show_default=True, help="How to show it.")
@OUTPUT
@FAIL_ON
@analysis_options
def diagnose(
    trace: Path, format_: str, output: Path | None, fail_on: tuple[str, ...], options: Options, config: Path | None
) -> None:
    """Name the cause of every idle nanosecond in TRACE, and what to change.

    TRACE is a report (.nsys-rep), or an SQLite or Parquet export of one.
    """
    from gapfinder.diagnosis.build import diagnose as build
    from gapfinder.gates.check import check
    from gapfinder.gates.facts import facts

    check_output(output, trace)
    gates = parse_gates(fail_on, format_)
    with analysed(trace, options, config) as analysis:
        diagnosis = build(analysis)
        if gates:
            known = facts(analysis, diagnosis)
            diagnosis = replace(diagnosis, gates=[check(gate, known) for gate in gates])
    write(partial(renderer(format_).render, diagnosis), output)
    end(diagnosis.gates, format_, output)
