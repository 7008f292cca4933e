"""`gapfinder diagnose`."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import gapfinder
from gapfinder.cli.options import FAIL_ON, OUTPUT, SKIP_UNUSABLE, TRACES, format_option, listing_options, opened
from gapfinder.cli.output import check_output, check_trace_gates, report_gates, write
from gapfinder.cli.progress import progress
from gapfinder.errors import UsageError
from gapfinder.render import renderer

if TYPE_CHECKING:
    from gapfinder.cli.output import Render
    from gapfinder.gates.gate import GateResult


@click.command()
@TRACES
@format_option("diagnosis", "job")
@OUTPUT
@FAIL_ON
@SKIP_UNUSABLE
@listing_options
def diagnose(
    paths: tuple[Path, ...],
    format_: str,
    output: Path | None,
    fail_on: tuple[str, ...],
    skip_unusable: bool,  # noqa: FBT001  click's signature
    chosen: dict[str, Any],
) -> None:
    """Name the cause of every nanosecond in TRACE in which the GPU does not compute, and what to change.

    TRACE is a report (.nsys-rep), or an SQLite or Parquet export of one. Several traces are the ranks of one job: which rank was
    late, and why? A folder of traces, or a pattern in quotes, is a job, too.
    """
    from gapfinder.job.paths import all_traces

    if output and output.suffix == ".html":
        raise UsageError(f"{output} is the name of a page, and this writes {format_}: `gapfinder report` writes pages")
    traces = all_traces(paths)
    check_output(output, *paths, *traces, config=chosen["config"])
    check_trace_gates(fail_on, format_, chosen["config"])
    if len(traces) == 1:
        render, checked = _trace(traces[0], format_, fail_on, chosen)
    else:
        render, checked = _job(traces, format_, fail_on, chosen | {"skip_unusable": skip_unusable})
    write(render, output)
    report_gates(checked, format_, output)


def _trace(path: Path, format_: str, gates: tuple[str, ...], chosen: dict[str, Any]) -> "tuple[Render, list[GateResult]]":
    with progress() as update, ThreadPoolExecutor(1) as pool, opened(path, chosen, update) as trace:
        diagnosis = trace.diagnose(gates=gates)
        # importing the renderer and closing the trace take 50 ms each, so they run at the same time
        importing = pool.submit(renderer, "diagnosis", format_)
    return partial(importing.result().render, diagnosis), diagnosis.gates


def _job(paths: list[Path], format_: str, gates: tuple[str, ...], chosen: dict[str, Any]) -> "tuple[Render, list[GateResult]]":
    with progress() as update:
        job = gapfinder.diagnose_job(*paths, **chosen, gates=gates, progress=update)
    return partial(renderer("job", format_).render, job), job.gates
