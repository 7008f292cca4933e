"""Finds the user's own Nsight Systems and lets it export a report."""

import errno
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from gapfinder.errors import CaptureError, TraceError
from gapfinder.ingest.nsys.load import export_tables

REPORT_MAGIC = b"NVIDIA "  # 2023.4: "NVIDIA Tegra Profiler Report"
# Where installers put it, newest name last: CUDA toolkits, Nsight Systems itself, and Nsight Compute, which
# carries a whole Nsight Systems along.
USUAL_PLACES = (
    "/usr/local/cuda*/bin/nsys",
    "/opt/nvidia/nsight-compute/*/host/target-linux-x64/nsys",
    "/opt/nvidia/nsight-systems*/*/bin/nsys",
    "/opt/nvidia/nsight-systems*/bin/nsys",
)
ROOM_BYTES = 1 << 20  # with less than this left, the disk was full
GET_ONE = "install Nsight Systems (https://developer.nvidia.com/nsight-systems) or, where there is one, run:"


def is_report(header: bytes) -> bool:
    """Whether the first bytes of a file are those of a .nsys-rep."""
    return header.startswith(REPORT_MAGIC)


def find() -> Path | None:
    """The nsys to use: $GAPFINDER_NSYS, else the one on PATH, else the newest in the usual places."""
    if named := os.environ.get("GAPFINDER_NSYS"):
        return Path(named)
    if found := shutil.which("nsys"):
        return Path(found)
    places = [path for pattern in USUAL_PLACES for path in sorted(Path("/").glob(pattern[1:]))]
    return next((path for path in reversed(places) if os.access(path, os.X_OK)), None)


def found_how() -> str:
    """How `find` comes to its answer."""
    if os.environ.get("GAPFINDER_NSYS"):
        return "named by GAPFINDER_NSYS"
    return "found on PATH" if shutil.which("nsys") else "found in one of its usual places"


def must_find() -> Path:
    """As `find`. Raises CaptureError, which says how to get one, where there is none."""
    if found := find():
        return found
    raise CaptureError(
        "no nsys was found on PATH or in its usual places: install Nsight Systems (https://developer.nvidia.com/nsight-systems; "
        "Nsight Compute brings one along too), or let GAPFINDER_NSYS name one"
    )


def no_room(report: Path, why: str) -> TraceError:
    """What to say where the export of a report has no place."""
    return TraceError(f"{report} cannot be exported to {tempfile.gettempdir()} ({why}): name a folder with more room in TMPDIR")


def export(report: Path, folder: Path, progress: Callable[[str], None]) -> Path:
    """Export the tables that gapfinder reads into `folder`; Parquet where this nsys can, else SQLite.

    Raises TraceError with the command to run elsewhere where there is no nsys, or it cannot read the report.
    """
    by_hand = f"nsys export --type=sqlite --include-json=true {shlex.quote(str(report))}"
    nsys = find()
    if nsys is None:
        raise TraceError(f"{report} needs nsys to be read, and none was found: {GET_ONE} {by_hand}")
    try:
        offers = subprocess.run([nsys, "export", "--help"], capture_output=True, text=True, check=False).stdout
    except OSError as error:
        raise TraceError(f"{nsys} cannot be run ({error.strerror}); elsewhere run: {by_hand}") from error
    kind, target = ("parquetdir", folder / "report") if "parquetdir" in offers else ("sqlite", folder / "report.sqlite")
    command = [str(nsys), "export", f"--type={kind}", "--quiet=true", f"--output={target}"]
    command += [f"{flag}=true" for flag in ("--include-json", "--include-blobs") if flag in offers]
    if "--tables" in offers:
        command.append("--tables=" + ",".join(export_tables()))
    progress(f"exporting {report.name} with {nsys}")
    # its own temporary files go into ours, which is removed whatever happens
    done = subprocess.run(
        [*command, str(report.resolve())], capture_output=True, text=True, check=False, env=os.environ | {"TMPDIR": str(folder)}
    )
    output = done.stdout + done.stderr
    if done.returncode or not target.exists() or "Exportation error" in output:
        if shutil.disk_usage(folder).free < ROOM_BYTES:
            raise no_room(report, os.strerror(errno.ENOSPC))
        version = (
            subprocess.run([nsys, "--version"], capture_output=True, text=True, check=False).stdout.strip().partition("\n")[0]
        )
        raise TraceError(
            f"{report} cannot be read by {version or nsys}: it is damaged, or was made by a newer one. "
            f"Where it was captured, run: {by_hand}"
        )
    return target
