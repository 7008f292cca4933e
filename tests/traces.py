"""The traces in `fixtures/` and what is true of them."""

import tomllib
from contextlib import contextmanager
from pathlib import Path

from gapfinder.analysis import analyse
from gapfinder.config import read_patterns
from gapfinder.diagnosis.build import diagnose
from gapfinder.options import Options

FIXTURES = Path(__file__).parents[1] / "fixtures"
LABELS = tomllib.loads((FIXTURES / "labels.toml").read_text())["trace"]
USABLE = [label for label in LABELS if not label.get("unusable")]
UNUSABLE = [label for label in LABELS if label.get("unusable")]
REPORT = FIXTURES / "starved_cuda12.nsys-rep"
EXPORT = FIXTURES / "starved_cuda12.sqlite"


@contextmanager
def analysis(trace, options=None):
    """The layers of a trace, with gapfinder's own patterns and nobody's config."""
    with analyse(Path(trace), options or Options(), read_patterns(None), lambda _: None) as analysed:
        yield analysed


def diagnosis(trace, options=None):
    with analysis(trace, options) as analysed:
        return diagnose(analysed)
