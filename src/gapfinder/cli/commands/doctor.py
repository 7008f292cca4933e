"""`gapfinder doctor`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gapfinder.cli.options import PATH, opened, trace_options
from gapfinder.cli.output import page, wrapped
from gapfinder.errors import GapfinderError

if TYPE_CHECKING:
    from gapfinder.capture.doctor import Check

MARKS = {True: "yes", False: "NO", None: "-"}
MARK_WIDTH, NAME_WIDTH = 4, 32  # characters


@click.command()
@click.argument("path", metavar="[TRACE]", required=False, type=PATH)
@trace_options
@click.pass_context
def doctor(ctx: click.Context, /, path: Path | None, chosen: dict[str, Any]) -> None:
    """Check what this machine can record, or which events TRACE has and lacks.

    Without TRACE, a short program is recorded as a test. The exit status is 3 if that does not work.
    """
    from gapfinder.capture.doctor import REQUIRED, of_machine, of_trace

    if path is None:
        ready = True
        for check in of_machine():
            click.echo(_line(check))
            ready = ready and (check.what not in REQUIRED or bool(check.available))
        ctx.exit(0 if ready else GapfinderError.exit_status)
    with opened(path, chosen) as trace:
        notes = [wrapped(f"- {note}", indent=2) for note in trace.diagnose().notes]
        page("".join(f"{line}\n" for line in (*map(_line, of_trace(trace)), *notes)))


def _line(check: "Check") -> str:
    line = f"{MARKS[check.available]:{MARK_WIDTH}s} {check.what:{NAME_WIDTH}s} {check.found}".rstrip()
    return wrapped(line, indent=MARK_WIDTH + 1)
