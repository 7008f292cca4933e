"""A whole capture: chooses what to record, runs the program, and reports the result to the user."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from gapfinder.capture.abilities import Abilities
from gapfinder.capture.isolation import isolation
from gapfinder.capture.record import Recorded, record
from gapfinder.capture.recordings import split
from gapfinder.capture.request import Request
from gapfinder.ingest.nsys.report import require
from gapfinder.units import size


def capture(
    request: Request,
    say: Callable[[str], None],
    showing: Callable[[], AbstractContextManager[Callable[[str], None]]] = lambda: nullcontext(lambda _: None),
) -> Recorded:
    """Record a program. `say` gets lines of text: what is recorded, what is not and why, and where the report is.

    While the program runs, what `showing` gives is called with what goes on.

    Raises CaptureError if there is no nsys, or no report.
    """
    nsys = Abilities.of(require())
    recordings, left_out = split(request.wanted, nsys)
    say(f"recording {', '.join(recording.what for recording in recordings)} with nsys {nsys.version}")
    for recording, why in left_out:
        say(f"not recorded: {recording.what}: {why}; unknown without it: {recording.lost}")
    if when := request.when():
        say(when)
    isolated = isolation() if request.isolate else []
    with showing() as update:
        recorded = record(request, recordings, nsys, isolated, update)
    for warning in recorded.warnings:
        say(f"nsys: {warning}")
    say(f"wrote {recorded.report} ({size(recorded.report.stat().st_size)})")
    if not isolated:
        why = "this machine allows no PID namespace" if request.isolate else "--no-isolate"
        say(f"the report holds the environment variables of all processes that nsys can see ({why}): do not share it")
    return recorded
