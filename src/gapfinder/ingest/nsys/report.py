"""Finds the installed Nsight Systems and exports a report with it."""

import errno
import os
import shlex
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from gapfinder.errors import CaptureError, TraceError
from gapfinder.ingest.nsys.load import export_tables
from gapfinder.system.programs import ran
from gapfinder.system.timings import timed

REPORT_MAGIC = b"NVIDIA "  # 2023.4: "NVIDIA Tegra Profiler Report"
# Where installers put nsys, the preferred one last: CUDA toolkits, Nsight Compute (which includes an Nsight Systems), and Nsight
# Systems itself. Within a pattern, the newest version sorts last.
USUAL_PATHS = (
    "/usr/local/cuda*/bin/nsys",
    "/opt/nvidia/nsight-compute/*/host/target-linux-x64/nsys",
    "/opt/nvidia/nsight-systems*/*/bin/nsys",
    "/opt/nvidia/nsight-systems*/bin/nsys",
)
FULL_DISK_BYTES = 1_000_000  # with less free space the disk counts as full; the smallest report has 250 KB
GET_NSYS = "install Nsight Systems (https://developer.nvidia.com/nsight-systems), or run this on a machine that has it:"


def is_report(header: bytes) -> bool:
    """Whether the first bytes of a file are those of a .nsys-rep."""
    return header.startswith(REPORT_MAGIC)


def find() -> Path | None:
    """The nsys to use: $GAPFINDER_NSYS, else the one on PATH, else the newest one in `USUAL_PATHS`; None if there is none."""
    if named := os.environ.get("GAPFINDER_NSYS"):
        return Path(named)
    if found := shutil.which("nsys"):
        return Path(found)
    installed = [path for pattern in USUAL_PATHS for path in sorted(Path("/").glob(pattern[1:]))]
    return next((path for path in reversed(installed) if os.access(path, os.X_OK)), None)


def how_found() -> str:
    """How `find` found nsys, as a phrase."""
    if os.environ.get("GAPFINDER_NSYS"):
        return "named by GAPFINDER_NSYS"
    return "found on PATH" if shutil.which("nsys") else "found where installers put it"


def require() -> Path:
    """As `find`. Raises CaptureError, which says how to get nsys, if there is none."""
    if found := find():
        return found
    raise CaptureError(
        "no nsys was found, neither on PATH nor where installers put it: install Nsight Systems "
        "(https://developer.nvidia.com/nsight-systems; Nsight Compute includes it too), or set GAPFINDER_NSYS to its path"
    )


def no_space(report: Path, why: str) -> TraceError:
    """The error for a report whose export does not fit on the disk."""
    folder = tempfile.gettempdir()
    return TraceError(f"{report} cannot be exported to {folder} ({why}): set TMPDIR to a folder with more free space")


def export(report: Path, folder: Path, progress: Callable[[str], None]) -> Path:
    """Export the tables that gapfinder reads into `folder`, as Parquet if this nsys can, else as SQLite; returns the path.

    Raises TraceError, with the command for another machine, if there is no nsys or it cannot read the report.
    """
    command_elsewhere = f"nsys export --type=sqlite --include-json=true --include-blobs=true {shlex.quote(str(report))}"
    nsys = find()
    if nsys is None:
        raise TraceError(f"gapfinder needs nsys to read {report}, and found none: {GET_NSYS} {command_elsewhere}")
    try:
        help_text = ran([nsys, "export", "--help"]).stdout
    except OSError as error:
        raise TraceError(f"{nsys} cannot be run ({error.strerror}); run this on another machine: {command_elsewhere}") from error
    kind, target = ("parquetdir", folder / "report") if "parquetdir" in help_text else ("sqlite", folder / "report.sqlite")
    command = [str(nsys), "export", f"--type={kind}", "--quiet=true", f"--output={target}"]
    command += [f"{flag}=true" for flag in ("--include-json", "--include-blobs") if flag in help_text]
    if "--tables" in help_text:
        command.append("--tables=" + ",".join(export_tables()))
    progress(f"exporting {report.name} with {nsys}")
    # nsys puts its temporary files into our folder, which is always removed
    try:
        with timed("nsys export", report.name):
            process = ran([*command, report.resolve()], os.environ | {"TMPDIR": str(folder)}, soon=False)
    except OSError as error:
        raise no_space(report, str(error.strerror)) from error
    output = process.stdout + process.stderr
    if process.returncode or not (target.is_file() or target.is_dir()) or "Exportation error" in output:
        if shutil.disk_usage(folder).free < FULL_DISK_BYTES:
            raise no_space(report, os.strerror(errno.ENOSPC))
        raise TraceError(
            f"{_version(nsys)} cannot read {report}: it is damaged, or a newer nsys made it. "
            f"On the machine where it was captured, run: {command_elsewhere}"
        )
    return target


def _version(nsys: Path) -> str:
    """What nsys calls itself; its path if it does not say."""
    said = ""
    with suppress(OSError):
        said = ran([nsys, "--version"]).stdout.strip().partition("\n")[0]
    return said or str(nsys)
