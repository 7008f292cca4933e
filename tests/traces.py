"""The traces in `fixtures/` and what is true of them."""

import tomllib
from contextlib import contextmanager
from pathlib import Path

from gapfinder.config import read_config
from gapfinder.diagnosis.build import diagnose
from gapfinder.options import Options
from gapfinder.trace import open_trace

FIXTURES = Path(__file__).parents[1] / "fixtures"
LABELS = tomllib.loads((FIXTURES / "labels.toml").read_text())["trace"]
USABLE = [label for label in LABELS if not label.get("unusable")]
UNUSABLE = [label for label in LABELS if label.get("unusable")]
REPORT = FIXTURES / "starved_cuda12.nsys-rep"
EXPORT = FIXTURES / "starved_cuda12.sqlite"


@contextmanager
def analysis(trace, options=None):
    """The layers of a trace, with gapfinder's own patterns and nobody's config."""
    with open_trace(Path(trace), options or Options(), read_config(), lambda _: None) as analysed:
        yield analysed


def diagnosis(trace, options=None):
    with analysis(trace, options) as analysed:
        return diagnose(analysed)
