"""The traces in `fixtures/` and what is true of them."""

import tomllib
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path

from gapfinder.api import Trace
from gapfinder.diagnosis.measured import measure
from gapfinder.job.in_trace import diagnose_trace
from gapfinder.opening import open_as
from gapfinder.options import Options
from gapfinder.pipeline.config import read_config

FIXTURES = Path(__file__).parents[1] / "fixtures"
TRUTH = "truth.toml"


def labels(folder):
    """What is true of each trace in a folder: those of its labels.toml, and each folder that holds a trace and its truth.toml."""
    found = tomllib.loads((folder / "labels.toml").read_text())["trace"]
    for truth in sorted(folder.glob(f"*/{TRUTH}")):
        (trace,) = (path for path in truth.parent.iterdir() if path.name not in {TRUTH, "README.md"})
        found.append({"file": str(trace.relative_to(folder))} | tomllib.loads(truth.read_text()))
    return found


LABELS = labels(FIXTURES)
USABLE = [label for label in LABELS if not label.get("unusable")]
UNUSABLE = [label for label in LABELS if label.get("unusable")]
REPORT = FIXTURES / "starved_cuda12.nsys-rep"
EXPORT = FIXTURES / "starved_cuda12.sqlite"


@contextmanager
def analysis(trace, options=None):
    """The layers of a trace, with gapfinder's own patterns and nobody's config."""
    with open_as(Trace, Path(trace), options or Options(), read_config(), lambda _: None) as analysed:
        yield analysed


@lru_cache(maxsize=16)  # each takes some 30 MB
def opened(trace, options=None):
    """The same, open for all tests of this process that only read it."""
    return open_as(Trace, Path(trace), options or Options(), read_config(), lambda _: None)


@cache
def measured(trace):
    """What a comparison keeps of a trace that stays as it is, made once in this process."""
    with analysis(trace) as analysed:
        return measure(analysed, diagnose_trace(analysed))


def diagnosis(trace):
    """The diagnosis of a trace that stays as it is, made once in this process."""
    return measured(trace).diagnosis
