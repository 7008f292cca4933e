"""`gapfinder doctor`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gapfinder.cli.options import PATH, listing_options, opened

if TYPE_CHECKING:
    from gapfinder.capture.doctor import Check

MARKS = {True: "yes", False: "NO", None: "-"}
WIDEST = 32  # of what is checked, in characters
NOT_READY = 3


@click.command()
@click.argument("path", metavar="[TRACE]", required=False, type=PATH)
@listing_options
@click.pass_context
def doctor(ctx: click.Context, /, path: Path | None, chosen: dict[str, Any]) -> None:
    """Say what this machine can record, or what TRACE holds and lacks.

    Without a TRACE a second of a program is recorded to see that it works; ends with status 3 where it does not.
    """
    from gapfinder.capture.doctor import NEEDED, of_machine, of_trace

    if path is None:
        needed = [check.there for check in map(_show, of_machine()) if check.what in NEEDED]
        ctx.exit(0 if all(needed) else NOT_READY)
    with opened(path, chosen) as trace:
        for check in of_trace(trace):
            _show(check)
        for note in trace.diagnose().notes:
            click.echo(f"- {note}")


def _show(check: "Check") -> "Check":
    click.echo(f"{MARKS[check.there]:4s} {check.what:{WIDEST}s} {check.found}".rstrip())
    return check
