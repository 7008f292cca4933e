"""`gapfinder doctor`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gapfinder.cli.options import PATH, listing_options, opened

if TYPE_CHECKING:
    from gapfinder.capture.doctor import Check

MARKS = {True: "yes", False: "NO", None: "-"}
NAME_WIDTH = 32  # characters
NOT_READY = 3


@click.command()
@click.argument("path", metavar="[TRACE]", required=False, type=PATH)
@listing_options
@click.pass_context
def doctor(ctx: click.Context, /, path: Path | None, chosen: dict[str, Any]) -> None:
    """Check what this machine can record, or which events TRACE has and lacks.

    Without TRACE, a short program is recorded as a test. The exit status is 3 if that does not work.
    """
    from gapfinder.capture.doctor import REQUIRED, of_machine, of_trace

    if path is None:
        required = [check.available for check in map(_show, of_machine()) if check.what in REQUIRED]
        ctx.exit(0 if all(required) else NOT_READY)
    with opened(path, chosen) as trace:
        for check in of_trace(trace):
            _show(check)
        for note in trace.diagnose().notes:
            click.echo(f"- {note}")


def _show(check: "Check") -> "Check":
    click.echo(f"{MARKS[check.available]:4s} {check.what:{NAME_WIDTH}s} {check.found}".rstrip())
    return check
