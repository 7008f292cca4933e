"""`gapfinder capture`."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from gapfinder.annotate import STEPS, WARMUP
from gapfinder.capture.recordings import OPTIONAL
from gapfinder.cli.failures import INTERRUPTED
from gapfinder.cli.options import mention_config
from gapfinder.cli.paths import NamedPath
from gapfinder.errors import CaptureError, NoWorkError, UsageError

ALSO = {recording.option.removeprefix("--").replace("-", "_"): recording for recording in OPTIONAL}
NO_GPU = "there is no nvidia-smi here: does this machine have a GPU?"


def _optional_recordings(command: Callable[..., None]) -> Callable[..., None]:
    """An option for each recording that is not always made."""
    for name, recording in reversed(ALSO.items()):
        command = click.option(recording.option, name, is_flag=True, help=recording.help)(command)
    return command


@click.command(context_settings={"allow_interspersed_args": False})
@click.argument("program", nargs=-1, required=True, type=click.UNPROCESSED)
@click.option(
    "-o",
    "--output",
    type=NamedPath(dir_okay=False),
    help="Name of the report.  [default: the name of the program, with a number if that file exists]",
)
@click.option("--force", is_flag=True, help="Overwrite the report that --output names.")
@click.option(
    "--steps",
    type=click.IntRange(min=1),
    help=f"Record this number of steps of a loop over gapfinder.annotate.steps().  [default: as the loop says, else {STEPS}]",
)
@click.option(
    "--warmup",
    type=click.IntRange(min=0),
    help=f"Skip this number of steps of that loop first.  [default: as the loop says, else {WARMUP}]",
)
@click.option(
    "--capture-range",
    metavar="RANGE",
    help="Record only inside the NVTX range of this name, or with cudaProfilerApi between cudaProfilerStart and -Stop.",
)
@click.option(
    "--delay",
    "delay_s",
    type=click.IntRange(min=1),
    metavar="SECONDS",
    help="Start to record this long after the program starts.",
)
@click.option(
    "--duration", "duration_s", type=click.IntRange(min=1), metavar="SECONDS", help="Record for this long, then end the program."
)
@click.option("--stop", is_flag=True, help="End the program when the steps or the range are recorded.")
@_optional_recordings
@click.option(
    "--isolate/--no-isolate",
    default=True,
    help="Keep the environment of other processes out of the report: run the program in its own PID namespace.  "
    "[default: isolate, if this machine allows it]",
)
@click.option("--nsys-flag", "nsys_flags", multiple=True, metavar="FLAG", help="Pass FLAG to nsys profile. May be repeated.")
@click.option("--diagnose/--no-diagnose", default=True, help="Diagnose the report at the end.")
@click.pass_context
def capture(
    ctx: click.Context, /, program: tuple[str, ...], output: Path | None, *, force: bool, diagnose: bool, **bounds: Any
) -> None:
    """Run PROGRAM under Nsight Systems, and diagnose the report.

    Put -- before the program:  gapfinder capture --steps 20 -- python train.py --epochs 1

    The program's output and exit status are passed on. The report holds command lines and the names of processes, but no
    environment variables.
    """
    from gapfinder.capture.ending import how_it_ended
    from gapfinder.capture.naming import report_path
    from gapfinder.capture.request import Request
    from gapfinder.capture.session import capture as record
    from gapfinder.cli.commands.diagnose import diagnose as diagnose_command
    from gapfinder.cli.progress import progress_below
    from gapfinder.system.writing import check_target

    if bounds["capture_range"] and (bounds["steps"] is not None or bounds["warmup"] is not None):
        raise UsageError("--steps and --warmup already choose a range: leave --capture-range out")
    also = tuple(recording for name, recording in ALSO.items() if bounds.pop(name))
    request = Request(program, report_path(program, output, force=force), also=also, force=force, **bounds)
    check_target(request.output, [])
    recorded = record(request, _say, progress_below)
    if recorded.interrupted:
        _say(f"interrupted; to see why the GPU did not compute until then: gapfinder diagnose {recorded.report}")
        ctx.exit(INTERRUPTED)
    status = 0 if recorded.ended_by_nsys else recorded.status
    if status:
        _say(f"{how_it_ended(request, status)}; the report shows what it did until then")
    if diagnose:
        mention_config()
        try:
            ctx.invoke(diagnose_command, paths=(recorded.report,))
        except NoWorkError as error:
            if status:  # the failure of the program matters more
                ctx.exit(status)
            why = request.why_idle() if shutil.which("nvidia-smi") else f"{request.why_idle()}; {NO_GPU}"
            raise CaptureError(f"{program[0]} launched nothing on a GPU while it was recorded: {why}") from error
    ctx.exit(status)


def _say(text: str) -> None:
    click.echo(f"gapfinder: {text}", err=True)
