"""What a diagnosis is about, in a line."""

from collections.abc import Iterable
from pathlib import Path

from gapfinder.diagnosis.diagnosis import Window
from gapfinder.units import clean, count, duration, moment


def subject(trace: str, gpus: Iterable[str], window: Window) -> str:
    """The file, its GPUs (a name for each) and the steps of the window; every name without control characters."""
    names = [clean(name) for name in gpus]
    many = f"{len(names)} x " if len(names) > 1 else ""
    if window.source in ("everything", "time range"):
        what = f"{window.source}, {duration(window.end_ns - window.start_ns)}"
    else:
        by = f'NVTX "{clean(window.step_name or "")}"' if window.source == "nvtx" else "the launch sequence"
        left_out = f", {count(window.excluded_steps, 'step')} before left out" if window.excluded_steps else ""
        what = f"{count(window.steps, 'step')} of {duration(window.step_ns)} by {by}{left_out}"
    span = f"from {moment(window.start_ns)} to {moment(window.end_ns)}"
    return f"{clean(Path(trace).name)}: {many}{', '.join(sorted(set(names)))}, {what}, {span}"
