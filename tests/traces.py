"""The fixtures and what is true of them."""

import os
import pickle
import tomllib
from functools import cache, lru_cache
from pathlib import Path

from unpack import FIXTURES

from gapfinder.api import Trace
from gapfinder.diagnosis.measured import measure
from gapfinder.job.in_trace import diagnose_trace
from gapfinder.opening import open_as
from gapfinder.options import Options
from gapfinder.pipeline.config import read_config

SUFFIXES = (".sqlite", ".nsys-rep", "")  # of a trace; a folder of Parquet has none


def labels(folder):
    """What is true of each trace in a folder: NAME.toml says it of the trace NAME beside it."""
    return [{"file": trace_of(truth)} | tomllib.loads(truth.read_text()) for truth in sorted(folder.glob("*.toml"))]


def trace_of(truth):
    """The name of the trace that a file is the truth of."""
    return next((path.name for path in map(truth.with_suffix, SUFFIXES) if path.exists()), f"{truth.stem}.sqlite")


def ranks_of(label):
    """The traces of the ranks of a job, of which `file` is the name without the rank."""
    return sorted((FIXTURES / label["file"]).parent.glob(f"{Path(label['file']).name}_rank*.sqlite"))


LABELS = labels(FIXTURES)
JOBS = [label | {"file": f"jobs/{Path(label['file']).stem}"} for label in labels(FIXTURES / "jobs")]
USABLE = [label for label in LABELS if not label.get("unusable")]
UNUSABLE = [label for label in LABELS if label.get("unusable")]
SHARED: Path | None = None  # a folder of the test run, see conftest.py
REPORT = FIXTURES / "starved_cuda12.nsys-rep"
EXPORT = FIXTURES / "starved_cuda12.sqlite"


def analysis(trace, options=None):
    """A trace, opened with gapfinder's own patterns and nobody's config."""
    return open_as(Trace, Path(trace), options or Options(), read_config(), lambda _: None)


# The same, open for all tests of this process that only read it; each takes some 30 MB.
opened = lru_cache(maxsize=16)(analysis)


@cache
def measured(trace):
    """What a comparison keeps of a trace that stays as it is, made once: of a fixture, for all processes of a test run."""
    kept = SHARED / f"{trace.name}.pickle" if SHARED and trace.parent == FIXTURES else None
    if kept and kept.exists():
        return pickle.loads(kept.read_bytes())  # noqa: S301  written by a process beside this one
    with analysis(trace) as analysed:
        found = measure(analysed, diagnose_trace(analysed))
    if kept:
        part = kept.with_suffix(f".{os.getpid()}")
        part.write_bytes(pickle.dumps(found))
        part.rename(kept)  # whole, or not there
    return found


def diagnosis(trace):
    """The diagnosis of a trace that stays as it is, made once as well."""
    return measured(trace).diagnosis
