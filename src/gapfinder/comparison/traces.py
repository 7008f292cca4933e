"""Compares traces in files: opens each, keeps what a comparison needs, and closes it again."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from gapfinder.comparison.build import compare
from gapfinder.comparison.measure import measure
from gapfinder.comparison.model import Comparison
from gapfinder.config import Config
from gapfinder.errors import UsageError
from gapfinder.gates.expression import parse
from gapfinder.options import Options
from gapfinder.trace import open_trace


def compare_traces(
    paths: Sequence[Path], options: Options, config: Config, gates: Iterable[str], progress: Callable[[str], None]
) -> Comparison:
    """Each trace against the first. Errors as of `gapfinder.compare`; a slip in a gate is told before a trace is read."""
    parsed = [parse(gate, config.causes, changes=True) for gate in gates]
    measured = []
    for path in paths:
        try:
            with open_trace(path, options, config, progress) as trace:
                measured.append(measure(trace))
        except UsageError as error:
            raise UsageError(f"{path}: {error}") from error
    return compare(measured, parsed)
