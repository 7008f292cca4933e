"""Compares traces, or jobs of several, in files: opens each, keeps what a comparison needs, and closes it again."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from gapfinder.comparison.compare import compare
from gapfinder.comparison.comparison import Comparison
from gapfinder.diagnosis.measured import Measured, measure
from gapfinder.errors import UsageError
from gapfinder.gates.expression import parse
from gapfinder.job.paths import expanded
from gapfinder.opening import open_trace
from gapfinder.options import Options
from gapfinder.pipeline.config import Config


def compare_traces(
    paths: Sequence[Path], options: Options, config: Config, gates: Iterable[str], progress: Callable[[str], None]
) -> Comparison:
    """Each trace against the first. Errors as of `gapfinder.compare`; a slip in a gate is told before a trace is read."""
    parsed = [parse(gate, config.causes, changes=True) for gate in gates]
    measured: list[Measured] = []
    for path in paths:
        try:
            measured.append(_measured(path, options, config, progress))
        except UsageError as error:
            raise UsageError(f"{path}: {error}") from error
    return compare(measured, parsed)


def _measured(path: Path, options: Options, config: Config, progress: Callable[[str], None]) -> Measured:
    """A trace; or a job, where the path is a folder or a pattern of several."""
    if len(found := expanded(path)) > 1:
        from gapfinder.job.measured import measured as as_one
        from gapfinder.job.traces import diagnose_job

        return as_one(str(path), *diagnose_job(found, options, config, progress))
    with open_trace(found[0], options, config, progress) as trace:
        return measure(trace)
