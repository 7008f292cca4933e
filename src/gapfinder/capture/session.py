"""A whole capture: what can be recorded, the run, and what the user should know of the report."""

from collections.abc import Callable

from gapfinder.capture.abilities import Abilities
from gapfinder.capture.isolation import isolation
from gapfinder.capture.record import Recorded, record
from gapfinder.capture.recordings import split
from gapfinder.capture.request import Request
from gapfinder.ingest.nsys.report import must_find
from gapfinder.units import size


def capture(request: Request, say: Callable[[str], None]) -> Recorded:
    """Record as asked; `say` is told, in lines, what is recorded, what is not and why, and what came of it.

    Raises CaptureError where there is no nsys, or no report came of it.
    """
    nsys = Abilities.of(must_find())
    recordings, left_out = split(request.wanted, nsys)
    say(f"recording {', '.join(recording.what for recording in recordings)} with nsys {nsys.version}")
    for recording, why in left_out:
        say(f"not recorded: {recording.what}: {why}; lost: {recording.lost}")
    isolated = isolation() if request.isolate else []
    recorded = record(request, recordings, nsys, isolated)
    for complaint in recorded.complaints:
        say(f"nsys: {complaint}")
    say(f"wrote {recorded.report} ({size(recorded.report.stat().st_size)})")
    if not isolated:
        why = "this machine allows no PID namespace" if request.isolate else "--no-isolate"
        say(f"the report holds the environment variables of all processes that nsys could look at ({why}): do not share it")
    return recorded
