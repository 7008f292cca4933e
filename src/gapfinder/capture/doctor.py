"""What this machine can record, and what a trace holds of what a diagnosis wants."""

import shutil
import subprocess
from collections.abc import Iterator
from typing import NamedTuple

from gapfinder.capture.abilities import Abilities
from gapfinder.capture.isolation import isolation
from gapfinder.capture.record import record
from gapfinder.capture.recordings import FORKS, GRAPH_NODES, RECORDINGS, split
from gapfinder.capture.request import Request
from gapfinder.errors import GapfinderError
from gapfinder.ingest.nsys.report import found_how, must_find
from gapfinder.system.scratch import scratch
from gapfinder.trace import OpenTrace
from gapfinder.units import size

NSYS, TEST_CAPTURE = "Nsight Systems", "a test capture"
NEEDED = {NSYS, TEST_CAPTURE}  # to capture anything at all
TEST_PROGRAM = ("sleep", "0.2")
GPUS = ("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader")
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


class Check(NamedTuple):
    """A thing that is there or not, and what follows from it; `there` is None where it does not matter."""

    what: str
    there: bool | None
    found: str


def of_machine() -> Iterator[Check]:
    """Look, one thing after the other; where there is no nsys, that is the last."""
    yield _gpus()
    try:
        nsys = Abilities.of(must_find())
    except GapfinderError as error:
        yield Check(NSYS, there=False, found=str(error))
        return
    yield Check(NSYS, there=True, found=f"{nsys.version}, {nsys.path}, {found_how()}")
    yield _test_capture(nsys)
    can, cannot = split((*RECORDINGS, GRAPH_NODES, FORKS), nsys)
    options = {GRAPH_NODES: "with --graph-nodes", FORKS: "with --follow-forks"}
    yield from (Check(recording.what, there=True, found=options.get(recording, "")) for recording in can)
    yield from (Check(recording.what, there=False, found=f"{why}. Lost: {recording.lost}") for recording, why in cannot)


def _gpus() -> Check:
    if shutil.which(GPUS[0]) is None:
        return Check("GPU", there=False, found="there is no nvidia-smi: capture where there is a GPU; traces are read without")
    done = subprocess.run(GPUS, capture_output=True, text=True, check=False)
    if done.returncode:
        return Check("GPU", there=False, found=(done.stdout + done.stderr).strip().partition("\n")[0])
    names = [line.strip() for line in done.stdout.splitlines()]
    return Check("GPU", there=True, found="; ".join(f"{names.count(name)} x {name}" for name in dict.fromkeys(names)))


def _test_capture(nsys: Abilities) -> Check:
    """Whether a capture leaves a report: nsys may miss a library that it needs for that alone."""
    can, _ = split(RECORDINGS, nsys)
    isolated = isolation()
    with scratch() as folder:
        try:
            recorded = record(Request(TEST_PROGRAM, folder / "test.nsys-rep"), can, nsys, isolated)
        except GapfinderError as error:
            return Check(TEST_CAPTURE, there=False, found=str(error))
        made = f"left a report of {size(recorded.report.stat().st_size)}"
    private = "without" if isolated else "with (this machine allows no PID namespace)"
    complaints = "".join(f"; nsys: {complaint}" for complaint in recorded.complaints)
    return Check(TEST_CAPTURE, there=True, found=f"{made}, {private} the environment of other processes{complaints}")


def of_trace(trace: OpenTrace) -> Iterator[Check]:
    """A line for each kind of event, with how many there are."""
    for what, view, lost in KINDS:
        events = trace.rows(f"SELECT count(*) AS events FROM {view}")[0]["events"]
        if events:
            yield Check(what, there=True, found=f"{events:,}")
        elif lost:
            yield Check(what, there=False, found=f"none; unknown without: {lost}")
        else:
            yield Check(what, there=None, found="none")
