"""Checks what this machine can record, and which events a trace has that a diagnosis needs."""

import shutil
from collections.abc import Iterator
from typing import NamedTuple

from gapfinder.capture.abilities import Abilities
from gapfinder.capture.isolation import isolation
from gapfinder.capture.record import record
from gapfinder.capture.recordings import OPTIONAL, RECORDINGS, split
from gapfinder.capture.request import Request
from gapfinder.errors import GapfinderError
from gapfinder.ingest.nsys.report import how_found, require
from gapfinder.system.programs import ran
from gapfinder.system.scratch import scratch
from gapfinder.trace import OpenTrace
from gapfinder.units import size

NSYS, TEST_CAPTURE = "Nsight Systems", "a test capture"
REQUIRED = {NSYS, TEST_CAPTURE}  # without these nothing can be captured
TEST_PROGRAM = ("sleep", "0.2")
LIST_GPUS = ("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader")
# Each kind of event: its name, its view, and what is unknown if the view is empty (nothing for some).
EVENTS = (
    ("kernels", "kernels", ""),
    ("CUDA graphs as a whole", "graph_launches", ""),
    ("copies and memsets", "copies", ""),
    ("CUDA calls", "calls", "which call launched an activity, and why the CPU was late"),
    ("OS calls", "os_calls", "waits for locks, files and other threads"),
    ("NVTX ranges", "nvtx_ranges", "the names of steps and phases"),
    ("waits for the GIL", "gil_ranges", "which thread held the GIL while another waited"),
    ("Python samples", "python_samples", "the source lines of a cause"),
    ("CPU samples", "cpu_samples", "the library in which a thread ran"),
    ("context switches", "core_switches", "when a thread could run, and had no core"),
)


class Check(NamedTuple):
    """The result of one check: `found` says what was found. `available` is None if it does not matter."""

    what: str
    available: bool | None
    found: str


def of_machine() -> Iterator[Check]:
    """Check this machine. Without nsys, the check of nsys is the last one."""
    yield _gpus()
    try:
        nsys = Abilities.of(require())
    except GapfinderError as error:
        yield Check(NSYS, available=False, found=str(error))
        return
    yield Check(NSYS, available=True, found=f"{nsys.version}, {nsys.path}, {how_found()}")
    yield _test_capture(nsys)
    can, cannot = split((*RECORDINGS, *OPTIONAL), nsys)
    for recording in can:
        yield Check(recording.what, available=True, found=f"with {recording.option}" if recording.option else "")
    for recording, why in cannot:
        yield Check(recording.what, available=False, found=f"{why}. Unknown without it: {recording.lost}")


def _gpus() -> Check:
    if shutil.which(LIST_GPUS[0]) is None:
        return Check(
            "GPU", available=False, found="there is no nvidia-smi: capture on a machine with a GPU; reading a trace needs none"
        )
    try:
        process = ran(LIST_GPUS)
    except OSError as error:
        return Check("GPU", available=False, found=f"nvidia-smi cannot be run: {error.strerror}")
    if process.returncode:
        return Check("GPU", available=False, found=(process.stdout + process.stderr).strip().partition("\n")[0])
    names = [line.strip() for line in process.stdout.splitlines()]
    return Check("GPU", available=True, found="; ".join(f"{names.count(name)} x {name}" for name in dict.fromkeys(names)))


def _test_capture(nsys: Abilities) -> Check:
    """Record a short program: nsys may lack a library that it needs only to write the report."""
    can, _ = split(RECORDINGS, nsys)
    isolated = isolation()
    with scratch() as folder:
        try:
            recorded = record(Request(TEST_PROGRAM, folder / "test.nsys-rep"), can, nsys, isolated)
        except GapfinderError as error:
            return Check(TEST_CAPTURE, available=False, found=str(error))
        wrote = f"wrote a report of {size(recorded.report.stat().st_size)}"
    private = "without" if isolated else "with (this machine allows no PID namespace)"
    warnings = "".join(f"; nsys: {warning}" for warning in recorded.warnings)
    return Check(TEST_CAPTURE, available=True, found=f"{wrote}, {private} the environment of other processes{warnings}")


def of_trace(trace: OpenTrace) -> Iterator[Check]:
    """Check for each kind of event whether the trace has any, and how many."""
    for what, view, lost in EVENTS:
        events = trace.rows(f"SELECT count(*) AS events FROM {view}")[0]["events"]
        if events:
            yield Check(what, available=True, found=f"{events:,}")
        elif lost:
            yield Check(what, available=False, found=f"none; unknown without them: {lost}")
        else:
            yield Check(what, available=None, found="none")
