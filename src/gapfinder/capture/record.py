"""Records a program: its report, or why there is none."""

import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from gapfinder.capture.abilities import Abilities
from gapfinder.capture.process import VARIABLES, run
from gapfinder.capture.recordings import Recording, flags
from gapfinder.capture.request import Request
from gapfinder.errors import CaptureError

# lines of nsys when all is well
USUAL = re.compile(r"\[\d+/\d+\] .*|Generat(ing|ed).*|Collecting data.*|Capture range (start|end)ed.*|\s*/.*\.nsys-rep|\s*")
FULL_BYTES = 1_000_000  # a disk with less left is why a report could not be written


@dataclass(frozen=True)
class Recorded:
    """What came of it: the report, the program's exit status (as shells say it), and what nsys complained of."""

    report: Path
    status: int
    interrupted: bool
    complaints: list[str]


def record(request: Request, recordings: list[Recording], nsys: Abilities, isolated: list[str]) -> Recorded:
    """Run the program under nsys until both have ended; the report is moved to `request.output`.

    `isolated` are the words that give a command a namespace of its own. Raises CaptureError where no report came of
    it, with the reason and what there is instead.
    """
    folder = request.output.parent.resolve()  # on the same disk as the report, which is moved there
    try:
        scratch = tempfile.TemporaryDirectory(prefix=".gapfinder-", dir=folder)
    except OSError as error:
        raise CaptureError(f"no report can be written to {folder}: {error.strerror}") from error
    with scratch as name:
        work = Path(name)
        report = work / "report.nsys-rep"
        output = str(report).replace("%", "%%")  # nsys fills in patterns
        command = [*isolated, str(nsys.path), "profile", f"--output={output}", *flags(recordings), *request.bounds()]
        status, interrupted, said = run([*command, *request.nsys_flags], request, work)
        complaints = [line.strip() for line in re.split(r"[\r\n]+", said) if not USUAL.fullmatch(line)]
        complaints = list(dict.fromkeys(complaints))
        if not report.exists():
            raise CaptureError(_why_no_report(request, nsys, work, complaints, status))
        report.replace(request.output)
    return Recorded(request.output, status, interrupted, complaints)


def _why_no_report(request: Request, nsys: Abilities, work: Path, complaints: list[str], status: int) -> str:
    said = f"; it said: {' '.join(complaints[-3:])}" if complaints else ""
    if (work / VARIABLES).exists():
        return f"nsys {nsys.version} did not start the program (status {status}){said}"
    if shutil.disk_usage(work).free < FULL_BYTES or "No space left" in said:
        return f"the disk of {request.output.parent.resolve()} is full: no report could be written; name another place with -o"
    if raw := next(work.glob("*.qdstrm"), None):
        kept = request.output.with_suffix(".qdstrm")
        raw.replace(kept)
        return (
            f"nsys {nsys.version} ended (status {status}) before its report was made{said}; what it recorded is in {kept}: "
            f"run nsys import {kept} (where that fails, often libdw.so.1 is missing: install Debian's libdw1)"
        )
    return f"{request.never_began()}{said}"
