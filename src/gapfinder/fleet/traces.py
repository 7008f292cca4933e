"""Finds the traces of a fleet, on local disks and in object stores, and makes local copies of them."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import fsspec

from gapfinder.errors import UsageError, first_line
from gapfinder.fleet.naming import Naming
from gapfinder.fleet.urls import as_utf8, unsigned, without_credentials
from gapfinder.ingest.manifest import MANIFEST
from gapfinder.ingest.nsys.other_files import ENDINGS
from gapfinder.system.scratch import scratch

LOCAL = "file://"
# The names that file systems give to a value that changes with a file: a tag of its content, else the time of the last change.
STAMPS = ("ETag", "etag", "mtime", "LastModified", "last_modified", "updated", "created")


@dataclass(frozen=True)
class FleetTrace:
    """A trace of a fleet: `name` is its path as the user wrote it, `url` its address, and `stamp` changes when the file changes.

    `rank` is None if the path does not name it.
    """

    name: str
    url: str
    size_bytes: int
    stamp: str
    job: str
    rank: int | None

    @property
    def key(self) -> str:
        """A short digest of the URL: the name of the trace's file in the folder of the fleet."""
        return sha256(_address(self.url)).hexdigest()[:20]

    @property
    def local(self) -> Path | None:
        """Its path, if it lies on a local disk."""
        return Path(self.url.removeprefix(LOCAL)) if self.url.startswith(LOCAL) else None

    def identity(self, setup_digest: str) -> str:
        """A digest of the trace and of the setup: if it is unchanged, so is the result. `setup_digest` is `Setup.digest`."""
        known = [str(self.size_bytes), self.stamp, setup_digest]
        return sha256(b"\n".join([_address(self.url), *(part.encode() for part in known)])).hexdigest()


def _address(url: str) -> bytes:
    """What stays of a URL when its credentials are renewed."""
    return unsigned(url).encode(errors="surrogateescape")


def find_traces(patterns: Iterable[str], naming: Naming) -> list[FleetTrace]:
    """The traces that match, each once, in order of job, rank and name. Raises UsageError if a pattern matches none."""
    traces: dict[str, FleetTrace] = {}
    for pattern in patterns:
        matching = list(_matching(pattern, naming))
        if not matching:
            raise UsageError(
                f"no trace matches {without_credentials(pattern)}: "
                "give files, or patterns in quotes such as 'runs/*/rank*.nsys-rep'"
            )
        traces |= {trace.url: trace for trace in matching}
    return sorted(traces.values(), key=lambda trace: (trace.job, -1 if trace.rank is None else trace.rank, trace.name))


def _matching(pattern: str, naming: Naming) -> Iterator[FleetTrace]:
    shown = without_credentials(pattern)
    if "::" in pattern.replace("://[::", "://["):  # an address of IPv6
        raise UsageError(f"{shown} names traces in an archive: unpack it, and name the files")
    try:
        files, path = fsspec.core.url_to_fs(pattern)
        entries = files.glob(path, detail=True)
    except Exception as error:  # the file systems of fsspec are by many hands
        # an error may quote a part of a password
        why = without_credentials(first_line(error)) if shown == pattern else type(error).__name__
        raise UsageError(f"{shown} cannot be listed: {why}") from error
    for entry in entries.values():
        size_bytes, stamp = entry["size"] or 0, _stamp(entry)
        if entry["type"] == "directory":
            inside = files.find(entry["name"], detail=True).values()
            names = [str(file["name"]) for file in inside]
            is_of_fleet = any(name.endswith(f"/{MANIFEST}") for name in names)
            holds_traces = any(name.endswith(ENDINGS) for name in names)
            if is_of_fleet or holds_traces or not any(name.endswith(".parquet") for name in names):
                continue
            size_bytes, stamp = sum(file["size"] for file in inside), max(map(_stamp, inside))
        elif entry["name"].endswith(".parquet"):  # one table of a Parquet export
            continue
        url = files.unstrip_protocol(entry["name"])
        name = _display_name(pattern, url, files)
        job, rank = naming.of(name if "://" in pattern else as_utf8(str(entry["name"])))
        yield FleetTrace(name, url, size_bytes, stamp, job, rank)


def _stamp(entry: dict[str, Any]) -> str:
    return next((str(entry[name]) for name in STAMPS if entry.get(name)), "")


def _display_name(pattern: str, url: str, files: Any) -> str:
    """The path in the form of the pattern, relative or absolute; a URL without its credentials."""
    if "://" in pattern:
        return without_credentials(url)
    path = Path(files._strip_protocol(url))  # noqa: SLF001  fsspec has no public name for it
    here = Path.cwd()
    shown = path if Path(pattern).is_absolute() or not path.is_relative_to(here) else path.relative_to(here)
    return as_utf8(str(shown))


@contextmanager
def local_copy(trace: FleetTrace) -> Iterator[Path]:
    """A local path of the trace: its own, or that of a temporary copy. Raises the errors of its file system."""
    if trace.local:  # its name may have "::", which in a URL means an archive
        yield trace.local
        return
    files, path = fsspec.core.url_to_fs(trace.url)
    with scratch() as folder:
        copy = folder / Path(trace.name).name
        files.get(path, str(copy), recursive=files.isdir(path))
        yield copy
