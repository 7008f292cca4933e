"""What becomes of a trace: a diagnosis, or a refusal. Anything else is a fault of gapfinder, and is raised."""

import re
from pathlib import Path

from processes import Done

from gapfinder.diagnosis.diagnose import diagnose
from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.errors import TraceError
from gapfinder.opening import open_trace
from gapfinder.options import Options
from gapfinder.pipeline.config import read_config
from gapfinder.render import formats, renderer
from gapfinder.units import clean_text

UNUSABLE, WRONG_USAGE = 3, 2  # exit statuses


def outcome(path: Path) -> Diagnosis | str:
    """The diagnosis, its ledger added up and shown in every format; or the line that refuses the trace."""
    try:
        with open_trace(path, Options(), read_config(), lambda _: None) as trace:
            found = diagnose(trace)
    except TraceError as error:
        line = str(error)
        assert str(path) in line
        assert "\n" not in clean_text(line)
        return line
    assert found.devices
    for device in found.devices:
        assert device.compute_ns >= 0
        assert all(lost > 0 for lost in device.causes.values())
        assert device.compute_ns + sum(device.causes.values()) == device.window_ns
    for name in formats("diagnosis"):
        assert renderer("diagnosis", name).render(found, width=80, color=False)
    return found


def assert_not_healthy(path: Path, known: set[str] = frozenset()) -> Diagnosis | str:
    """Refused, or diagnosed with a note beside those that are `known`; never with a clean bill."""
    found = outcome(path)
    if isinstance(found, Diagnosis):
        assert found.verdict != "gpu_bound"
        assert set(found.notes) - known, "nothing says that something is missing"
    return found


def contradicted(path: Path) -> list[str]:
    """What of a trace contradicts other rows of it, as its notes say it."""
    with open_trace(path, Options(), read_config(), lambda _: None) as trace:
        found = trace.tuples("SELECT kind, rows, all_rows FROM contradictions UNION ALL FROM impossible_order")
    return [f"{kind}, {rows:,} of {all_rows:,}" for kind, rows, all_rows in found]


def assert_refused(done: Done, status: int = UNUSABLE) -> None:
    """Nothing but one line that says what is wrong."""
    assert (done.status, done.output) == (status, "")
    assert re.fullmatch(r"gapfinder: [^\x00-\x1f\x7f-\x9f]+\n", done.errors)
