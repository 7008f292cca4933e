"""What a trace holds of what a diagnosis wants."""

from collections.abc import Iterator

from gapfinder.doctor.check import Check
from gapfinder.trace import Trace

# The view that each kind of event is read through, and what is not known where it is empty: nothing, for some.
KINDS = (
    ("kernels", "kernels", ""),
    ("CUDA graphs as a whole", "graph_launches", ""),
    ("copies and memsets", "copies", ""),
    ("CUDA calls", "calls", "who launched what, and why the CPU was late"),
    ("OS calls", "os_calls", "waits for locks, files and other threads"),
    ("NVTX ranges", "nvtx_ranges", "the names of steps and phases"),
    ("waits for the GIL", "gil_ranges", "which thread held the GIL while another waited"),
    ("Python samples", "python_samples", "the source lines to blame"),
)


def checks(trace: Trace) -> Iterator[Check]:
    """A line for each kind of event, with how many there are."""
    for what, view, lost in KINDS:
        events = trace.rows(f"SELECT count(*) AS events FROM {view}")[0]["events"]
        if events:
            yield Check(what, there=True, found=f"{events:,}")
        elif lost:
            yield Check(what, there=False, found=f"none; unknown without: {lost}")
        else:
            yield Check(what, there=None, found="none")
