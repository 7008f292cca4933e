"""Records a program with nsys, and says why if there is no report."""

import re
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from gapfinder.capture.abilities import Abilities
from gapfinder.capture.ending import how_it_ended, is_crash
from gapfinder.capture.naming import placed
from gapfinder.capture.process import VARIABLES, Run, is_full, run
from gapfinder.capture.recordings import Recording, flags
from gapfinder.capture.request import Request
from gapfinder.errors import CaptureError
from gapfinder.ingest.nsys.other_files import to_import
from gapfinder.system.paths import real
from gapfinder.system.scratch import scratch
from gapfinder.units import shortened

# the lines that nsys prints without any problem
USUAL_LINE = re.compile(r"\[\d+/\d+\] .*|Generat(ing|ed).*|Collecting data.*|Capture range (start|end)ed.*|\s*/.*\.nsys-rep|\s*")
RANGE_ENDED = "Capture range ended"
# what nsys 2023.4 prints on a busy machine, about once in 60 starts, when its two halves do not find each other
FAILED_STARTS = ("Connection to Agent lost", "Local Endpoint is not available")
MOST_LINE_CHARS = 500  # of what nsys printed, in a message
STARTS = 3  # how often nsys may try
START_S = 60  # for the first start, and twice as long for each further one; usual are 1 to 5 s, also on a busy machine
SESSION = "--session-new"  # else nsys calls its session by its PID, which is 1 in every PID namespace


@dataclass(frozen=True)
class Recorded:
    """A recorded program: the report, the program's exit status (128 + signal if one ended it), and the warnings of nsys.

    `ended_by_nsys` says that it was ended as it was asked for, when the recording was over; then its status says little.
    """

    report: Path
    status: int
    interrupted: bool
    warnings: list[str]
    ended_by_nsys: bool


def record(
    request: Request,
    recordings: list[Recording],
    nsys: Abilities,
    isolated: list[str],
    update: Callable[[str], None] = lambda _: None,
) -> Recorded:
    """Run the program under nsys until both have ended, and move the report to `request.output`, or beside it.

    `update` is called with what goes on, about twice a second. `isolated` is the command line of `isolation`. Raises
    CaptureError, with the reason, if there is no report.
    """
    wanted = real(request.output)
    folder = wanted.parent
    with ExitStack() as left:
        try:
            work = left.enter_context(scratch(beside=wanted))  # on the same disk, so that the report can be moved
        except OSError as error:
            raise CaptureError(f"no report can be written to {folder}: {error.strerror}") from error
        if is_full(work):
            raise CaptureError(_disk_full(folder))
        report = work / "report.nsys-rep"
        target = str(report).replace("%", "%%")  # nsys replaces % patterns
        chosen = [f"--output={target}", *flags(recordings), *request.bounds()]
        for start in range(STARTS):
            session = [f"{SESSION}={work.name.lstrip('.')}-{start}"] if SESSION in nsys.options else []
            command = [*isolated, str(nsys.path), "profile", *_override([*session, *chosen], request.nsys_flags)]
            done = run(command, request, work, update, START_S * 2**start)
            if done.interrupted or not _failed_to_start(work, done):
                break
        lines = [line.strip() for line in re.split(r"[\r\n]+", done.output) if not USUAL_LINE.fullmatch(line)]
        warnings = [shortened(line, MOST_LINE_CHARS) for line in dict.fromkeys(lines)]
        if not report.is_file():
            raise CaptureError(_why_no_report(request, nsys, work, warnings, done.status))
        output = placed(report, request.output, force=request.force)
    return Recorded(output, done.status, done.interrupted, warnings, _ended_by_nsys(request, done))


def _failed_to_start(work: Path, done: Run) -> bool:
    """Whether nsys ended or hung before it started the program, as it sometimes does, and another start may succeed."""
    return (work / VARIABLES).exists() and (done.hung or any(text in done.output for text in FAILED_STARTS))


def _ended_by_nsys(request: Request, done: Run) -> bool:
    """Whether nsys ended the program, which it does with SIGTERM. A program may answer that with a status of its own."""
    if not request.ends_program() or is_crash(done.status):
        return False
    if request.duration_s is None:
        return RANGE_ENDED in done.output
    return done.recorded_s >= request.duration_s - 1


def _override(flags_: list[str], by_user: tuple[str, ...]) -> list[str]:
    """The flags, with the user's flags in place of those of the same name: nsys refuses a flag that is given twice."""
    names = {flag.partition("=")[0] for flag in by_user}
    return [*(flag for flag in flags_ if flag.partition("=")[0] not in names), *by_user]


def _why_no_report(request: Request, nsys: Abilities, work: Path, warnings: list[str], status: int) -> str:
    printed = f"; it printed: {' '.join(warnings[-3:])}" if warnings else ""
    if is_full(work) or "No space left" in printed:
        return _disk_full(work.parent)
    if (work / VARIABLES).exists():
        return f"nsys {nsys.version} did not start the program (status {status}){printed}"
    if raw := next((found for found in work.glob("*.qdstrm") if found.is_file()), None):
        kept = placed(raw, request.output.with_suffix(".qdstrm"), force=False)
        return (
            f"nsys {nsys.version} ended (status {status}) before it wrote the report{printed}; the recording is in {kept}: "
            f"{to_import(kept)} (if that fails, libdw.so.1 is often missing: install libdw1 on Debian)"
        )
    if is_crash(status):
        return f"{request.why_nothing_recorded()}; {how_it_ended(request, status)}{printed}"
    return f"{request.why_nothing_recorded()}{printed}"


def _disk_full(folder: Path) -> str:
    return f"the disk of {folder} is full, and the report could not be written: choose another folder with -o"
