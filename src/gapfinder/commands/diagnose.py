"""`gapfinder diagnose`."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gapfinder.cli_options import FAIL_ON, OUTPUT, TRACES, listing_options, opened, progress
from gapfinder.cli_output import check_output, end, parse_gates, write
from gapfinder.render import formats, renderer

if TYPE_CHECKING:
    from gapfinder.cli_output import Render
    from gapfinder.gates.model import Checked, Gate


@click.command()
@TRACES
@click.option("--format", "format_", type=click.Choice(formats()), default="text", show_default=True, help="How to show it.")
@OUTPUT
@FAIL_ON
@listing_options
def diagnose(
    paths: tuple[Path, ...], format_: str, output: Path | None, fail_on: tuple[str, ...], chosen: dict[str, Any]
) -> None:
    """Name the cause of every idle nanosecond in TRACE, and what to change.

    TRACE is a report (.nsys-rep), or an SQLite or Parquet export of one. Several are the ranks of one job, and so are a folder of
    traces and a pattern in quotes: which rank was late, and why?
    """
    from gapfinder.job.paths import expanded, in_order

    traces = in_order({found for path in paths for found in expanded(path)})
    check_output(output, *traces)
    gates = parse_gates(fail_on, format_, chosen["config"])
    render, checked = _job(traces, format_, gates, chosen) if len(traces) > 1 else _trace(traces[0], format_, gates, chosen)
    write(render, output)
    end(checked, format_, output)


def _trace(path: Path, format_: str, gates: "list[Gate]", chosen: dict[str, Any]) -> "tuple[Render, list[Checked]]":
    from gapfinder.gates.check import check
    from gapfinder.gates.facts import facts

    with opened(path, chosen) as trace:
        diagnosis = trace.diagnose()
        if gates:
            known = facts(trace, diagnosis)
            diagnosis = replace(diagnosis, gates=[check(gate, known) for gate in gates])
    return partial(renderer(format_).render, diagnosis), diagnosis.gates


def _job(paths: list[Path], format_: str, gates: "list[Gate]", chosen: dict[str, Any]) -> "tuple[Render, list[Checked]]":
    from gapfinder.config import read_config
    from gapfinder.gates.check import check
    from gapfinder.job.measured import facts
    from gapfinder.job.traces import diagnose_job
    from gapfinder.options import Options
    from gapfinder.render.job import renderer as job_renderer

    options = Options.chosen(chosen["step"], chosen["window"], chosen["device"], chosen["min_gap"])
    with progress() as tell:
        job, parts = diagnose_job(paths, options, read_config(chosen["config"]), tell)
    if gates:
        known = facts(job, parts)
        job = replace(job, gates=[check(gate, known) for gate in gates])
    return partial(job_renderer(format_).render, job), job.gates
