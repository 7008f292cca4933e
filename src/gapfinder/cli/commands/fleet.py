"""`gapfinder fleet`."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from gapfinder.cli.options import trace_options
from gapfinder.errors import UsageError

ENGINE = ("distributed", "fsspec", "cryptography")  # the packages of the extra


@click.command()
@click.argument("patterns", metavar="PATTERN...", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    "folder",
    required=True,
    type=click.Path(path_type=Path),
    help="The folder of the ledger: new, or of an earlier run.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=0),
    help="Processes that read traces, one each at a time; 0 for none but this one.  [default: one for each core]",
)
@click.option("--scheduler", metavar="ADDRESS", help="Let the workers of this Dask scheduler do it, as tcp://head:8786.")
@click.option(
    "--job-rank",
    metavar="REGEX",
    help="Tells job and rank from the path, with groups named so: (?P<job>[^/]+)/n(?P<rank>\\d+).  "
    "[default: the number behind `rank` in the name of the file or its folder, and job=… or the folder around]",
)
@click.option("--retry", is_flag=True, help="Read those traces again, too, that could not be read.")
@trace_options
def fleet(
    patterns: tuple[str, ...],
    folder: Path,
    workers: int | None,
    scheduler: str | None,
    job_rank: str | None,
    retry: bool,  # noqa: FBT001  click's signature
    chosen: dict[str, Any],
) -> None:
    """Diagnose every trace that matches PATTERN, and keep the ledgers, steps and findings of all in one folder.

    A PATTERN is a file, or has *, ** and ?; it may be a URL, as s3://bucket/runs/**/rank*.nsys-rep. What the folder has of
    a trace that did not change is not done again, so a run that was stopped goes on where it was.
    `gapfinder sql` and `gapfinder report` read the folder.
    """
    _check_engine()
    from gapfinder.fleet.naming import Naming
    from gapfinder.fleet.open import open_ledger
    from gapfinder.fleet.run import planned
    from gapfinder.fleet.summary import summary
    from gapfinder.options import Options, Window
    from gapfinder.pipeline.config import read_config

    window, config = chosen["window"], chosen["config"]
    options = Options(chosen["step"], Window.parse(window) if window else Window(), chosen["device"])
    plan = planned(patterns, folder, options, read_config(config and config.resolve()), Naming.parse(job_rank), again=retry)
    count = len(os.sched_getaffinity(0)) if workers is None else workers
    with _progress(len(plan.todo)) as tell:
        plan.run(workers=min(count, len(plan.todo)), scheduler=scheduler, examined_one=tell)
    with open_ledger(folder) as ledger:
        click.echo(summary(ledger, examined=len(plan.todo), done_before=plan.done), nl=False)


def _check_engine() -> None:
    from importlib.util import find_spec

    if missing := [name for name in ENGINE if not find_spec(name)]:
        raise UsageError(f"a fleet needs {', '.join(missing)}: pip install 'gapfinder[fleet]'")


@contextmanager
def _progress(traces: int) -> Iterator[Callable[[], None]]:
    """A bar with an estimate of what is left, on standard error where that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("traces,"), TimeElapsedColumn(), TextColumn("so far, about"))
    console = Console(stderr=True)
    # the pace of the last ten minutes: traces come in all sizes
    with Progress(*columns, TimeRemainingColumn(), TextColumn("left"), console=console, speed_estimate_period=600) as bar:
        task = bar.add_task("", total=traces)
        yield lambda: bar.advance(task)
