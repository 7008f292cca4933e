"""Says of a file or folder that is no trace of Nsight Systems what it is, and what to do next."""

import shlex
import zlib
from pathlib import Path

from gapfinder.ingest.nsys import report

ENDINGS = (".nsys-rep", ".sqlite", ".duckdb")
OTHERS = (".json", ".json.gz", ".ncu-rep", ".qdstrm")
GZIP, NSIGHT_COMPUTE = b"\x1f\x8b", b"NVR\0"
UNPACKED_WITH = {b"\x28\xb5\x2f\xfd": "zstd -d", b"\xfd7zXZ\0": "xz -dk", b"BZh": "bunzip2 -k"}
HEAD_BYTES = 1 << 16  # of a JSON file: its keys are before and after a list of the GPUs
RECORD = "record the program with: gapfinder capture -- PROGRAM"


def file_of_another_kind(path: Path, header: bytes) -> str:
    """What kind of file this is. `header` is its first bytes."""
    if path.suffix == ".qdstrm":
        return f"{path} is a raw capture that was not imported; {to_import(path)}"
    if path.suffix == ".ncu-rep" or header.startswith(NSIGHT_COMPUTE):
        return f"{path} is a report of Nsight Compute, which looks into kernels and not between them; {RECORD}"
    if program := next((program for magic, program in UNPACKED_WITH.items() if header.startswith(magic)), None):
        return f"{path} is compressed; unpack it with: {program} {shlex.quote(str(path))}"
    head = _head(path)
    if b'"traceEvents"' in head or (b'"ph"' in head and head.lstrip().startswith(b"[")):
        by = "of the PyTorch profiler" if b'"deviceProperties"' in head or b'"schemaVersion"' in head else "in Chrome's format"
        return f"{path} is a trace {by}, and gapfinder reads those of Nsight Systems; {RECORD}"
    if header.startswith(GZIP):
        return f"{path} is compressed; unpack it with: gunzip {shlex.quote(str(path))}"
    return f"{path} is neither an Nsight Systems report (.nsys-rep) nor an SQLite or Parquet export of one; {RECORD}"


def is_parquet_export(path: Path) -> bool:
    """Whether the path is a folder of Parquet files, without traces beside them: those may be the tables of an export."""
    return any(path.glob("*.parquet")) and not any(file.suffix in ENDINGS for file in path.iterdir())


def folder_without_parquet(path: Path) -> str:
    """What a folder holds that is not an export."""
    files = sorted(path.iterdir())
    if traces := [file for file in files if file.name.endswith(ENDINGS)]:
        return (
            f"{path} is a folder with traces: name one, for example {traces[0]}; "
            f"as the ranks of a job, `gapfinder diagnose {shlex.quote(str(path))}` reads them"
        )
    if deeper := next((file for ending in ENDINGS for file in path.glob(f"*/*{ending}")), None):
        pattern = shlex.quote(str(path / "*" / f"*{''.join(deeper.suffixes[-1:])}"))
        return f"{path} has no traces itself, and {deeper.parent} has: name that folder, or the pattern {pattern}"
    if other := next((file for file in files if file.name.endswith(OTHERS) and file.is_file()), None):
        with other.open("rb") as file:
            return f"{path} is a folder without traces: {file_of_another_kind(other, file.read(len(NSIGHT_COMPUTE)))}"
    return f"{path} is a folder without traces (.nsys-rep, .sqlite, .duckdb or the Parquet files of an export); {RECORD}"


def to_import(path: Path) -> str:
    """How a raw capture becomes a report: with the importer of this machine's Nsight Systems, where it is found."""
    found = report.find()
    near = (found.resolve().parent.parent.glob("host-*/QdstrmImporter")) if found else iter(())
    importer = next((shlex.quote(str(each)) for each in near), "QdstrmImporter")
    return f"run {importer} -i {shlex.quote(str(path))}, of the version of Nsight Systems that recorded it"


def _head(path: Path) -> bytes:
    """The first bytes of a file, unpacked."""
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    if not head.startswith(GZIP):
        return head
    try:
        return zlib.decompressobj(wbits=31).decompress(head, HEAD_BYTES)
    except zlib.error:  # it only begins like such a file
        return b""
