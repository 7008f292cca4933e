"""`gapfinder capture`."""

from pathlib import Path
from typing import Any

import click

from gapfinder.errors import CaptureError, NoWorkError, UsageError

INTERRUPTED = 130  # 128 + SIGINT, as shells say it


@click.command(context_settings={"allow_interspersed_args": False})
@click.argument("program", nargs=-1, required=True, type=click.UNPROCESSED)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Name of the report.  [default: the program's, with a number where that is taken]",
)
@click.option("--force", is_flag=True, help="Overwrite the report that --output names.")
@click.option("--steps", type=click.IntRange(min=1), help="Record so many steps of a loop over gapfinder.annotate.steps().")
@click.option("--warmup", type=click.IntRange(min=0), help="Leave so many steps of that loop out first.")
@click.option(
    "--capture-range",
    metavar="RANGE",
    help="Record only between cudaProfilerStart and -Stop (RANGE is cudaProfilerApi), or inside the NVTX range of this name.",
)
@click.option(
    "--delay", "delay_s", type=click.IntRange(min=1), metavar="SECONDS", help="Begin to record so long after the start."
)
@click.option(
    "--duration", "duration_s", type=click.IntRange(min=1), metavar="SECONDS", help="Record so long, and then end the program."
)
@click.option("--stop", is_flag=True, help="End the program once the steps or the range are recorded.")
@click.option("--graph-nodes", is_flag=True, help="Record each kernel of a CUDA graph; costs more than whole graphs.")
@click.option("--follow-forks", is_flag=True, help="Record forked DataLoader workers too; nsys warns that it may crash them.")
@click.option(
    "--isolate/--no-isolate",
    default=True,
    help="Keep the environment of other processes out of the report: the program runs in a PID namespace of its own.  "
    "[default: isolate, where this machine allows it]",
)
@click.option("--nsys-flag", "nsys_flags", multiple=True, metavar="FLAG", help="Hand FLAG to nsys profile; may be repeated.")
@click.option("--diagnose/--no-diagnose", default=True, help="Diagnose the report at once, or leave it at that.")
@click.pass_context
def capture(
    ctx: click.Context, /, program: tuple[str, ...], output: Path | None, *, force: bool, diagnose: bool, **bounds: Any
) -> None:
    """Run PROGRAM under Nsight Systems, and diagnose what was recorded.

    Write -- before it:  gapfinder capture --steps 20 -- python train.py --epochs 1

    Its output and its exit status come through. The report holds no environment variables; it does hold command lines
    and the names of processes.
    """
    from gapfinder.capture.naming import report_path
    from gapfinder.capture.request import Request
    from gapfinder.capture.session import capture as record
    from gapfinder.cli.commands.diagnose import diagnose as diagnose_command

    if bounds["capture_range"] and (bounds["steps"] is not None or bounds["warmup"] is not None):
        raise UsageError("--steps and --warmup are a range of their own: leave --capture-range out")
    request = Request(program, report_path(program, output, force=force), **bounds)
    recorded = record(request, _say)
    if recorded.interrupted:
        _say(f"interrupted; why the GPU did not compute until then: gapfinder diagnose {recorded.report}")
        ctx.exit(INTERRUPTED)
    status = 0 if request.ends_program() else recorded.status
    if status:
        _say(f"{program[0]} ended with status {status}; what it did until then is recorded")
    if diagnose:
        try:
            ctx.invoke(diagnose_command, paths=(recorded.report,))
        except NoWorkError as error:
            if status:  # of which there is more to say than that it never came to its work
                ctx.exit(status)
            raise CaptureError(f"{program[0]} launched nothing on a GPU while it was recorded") from error
    ctx.exit(status)


def _say(text: str) -> None:
    click.echo(f"gapfinder: {text}", err=True)
