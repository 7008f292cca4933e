"""`gapfinder diagnose`."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import gapfinder
from gapfinder.cli.options import FAIL_ON, OUTPUT, TRACES, format_option, listing_options, opened, progress
from gapfinder.cli.output import check_output, check_trace_gates, end, write
from gapfinder.render import renderer

if TYPE_CHECKING:
    from gapfinder.cli.output import Render
    from gapfinder.gates.gate import GateResult


@click.command()
@TRACES
@format_option("diagnosis", "job")
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
    from gapfinder.job.paths import all_traces

    traces = all_traces(paths)
    check_output(output, *traces)
    check_trace_gates(fail_on, format_, chosen["config"])
    render, checked = (_job if len(traces) > 1 else _trace)(traces, format_, fail_on, chosen)
    write(render, output)
    end(checked, format_, output)


def _trace(paths: list[Path], format_: str, gates: tuple[str, ...], chosen: dict[str, Any]) -> "tuple[Render, list[GateResult]]":
    with ThreadPoolExecutor(1) as pool, opened(paths[0], chosen) as trace:
        diagnosis = trace.diagnose(gates=gates)
        shown = pool.submit(
            renderer, "diagnosis", format_
        )  # read while the memory is given back: each takes a twentieth of a second
    return partial(shown.result().render, diagnosis), diagnosis.gates


def _job(paths: list[Path], format_: str, gates: tuple[str, ...], chosen: dict[str, Any]) -> "tuple[Render, list[GateResult]]":
    with progress() as tell:
        job = gapfinder.diagnose_job(*paths, **chosen, gates=gates, progress=tell)
    return partial(renderer("job", format_).render, job), job.gates
