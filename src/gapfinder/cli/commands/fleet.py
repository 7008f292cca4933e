"""`gapfinder fleet`."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import click

from gapfinder.cli.options import parsed, trace_options
from gapfinder.cli.output import wrapped
from gapfinder.cli.paths import NamedPath
from gapfinder.cli.progress import progress
from gapfinder.errors import UsageError

WORKER_BYTES = 500_000_000  # of a memory limit: fewer would not do for a worker with Dask, Python and a trace
PACKAGES = ("distributed", "fsspec", "cryptography")  # of the extra gapfinder[fleet]


@click.command()
@click.argument("patterns", metavar="PATTERN...", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    "folder",
    required=True,
    type=NamedPath(),
    help="The folder of the fleet: a new one, or that of an earlier run.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=0),
    help="Number of worker processes, which read one trace each at a time; 0 means this process.  [default: one for each core]",
)
@click.option("--scheduler", metavar="ADDRESS", help="Use the workers of this Dask scheduler, for example tcp://head:8786.")
@click.option(
    "--job-rank",
    metavar="REGEX",
    help="Regular expression that finds job and rank in a path, for example (?P<job>[^/]+)/n(?P<rank>\\d+).  "
    "[default: the rank is the number after `rank` in the name of the file or its folder, the job is job=… or the parent folder]",
)
@click.option("--retry", is_flag=True, help="Also try the traces again that could not be read.")
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
    """Diagnose every trace that matches PATTERN, and write the ledgers, steps and causes of all of them to one folder.

    A PATTERN is a file, or has the wildcards *, ** and ?. It may be a URL, for example s3://bucket/runs/**/rank*.nsys-rep. A
    trace that is in the folder and did not change is not read again, so a run that was stopped can be continued.
    `gapfinder sql` and `gapfinder report` read the folder.
    """
    _check_packages()
    from gapfinder.fleet.naming import Naming
    from gapfinder.fleet.open import open_fleet
    from gapfinder.fleet.run import plan_run
    from gapfinder.fleet.summary import summary

    config = chosen["config"]
    options, settings = parsed(chosen | {"config": config and config.resolve()})
    if scheduler and options.memory_bytes:
        raise UsageError(
            "--memory-limit is for the workers of this machine: give those of a scheduler theirs when they are started"
        )
    plan = plan_run(patterns, folder, options, settings, Naming.parse(job_rank), retry=retry)
    most = len(os.sched_getaffinity(0)) if workers is None else workers
    if options.memory_bytes:
        most = min(most, options.memory_bytes // WORKER_BYTES)
    with _progress(len(plan.todo)) as advance:
        plan.run(workers=min(most, len(plan.todo)), scheduler=scheduler, on_examined=advance)
    with open_fleet(folder, memory_bytes=options.memory_bytes) as opened:
        for line in summary(opened, examined=len(plan.todo), unchanged=plan.unchanged).splitlines():
            click.echo(wrapped(line, indent=2))


def _check_packages() -> None:
    from importlib.util import find_spec

    if missing := [name for name in PACKAGES if not find_spec(name)]:
        raise UsageError(f"gapfinder fleet needs {', '.join(missing)}: pip install {' '.join(missing)}")


@contextmanager
def _progress(traces: int) -> Iterator[Callable[[], None]]:
    """A function to call after each trace, which moves the progress bar."""
    from gapfinder.pipeline.stages import Stage

    with progress() as update:
        numbers = count(1)
        update(f"0 of {traces} traces")

        def advance() -> None:
            done = next(numbers)
            update(Stage(f"{done} of {traces} traces", done / traces))

        yield advance
