"""Compares traces or jobs in files: opens each, takes the measurements, and closes it again."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from gapfinder.comparison.compare import compare
from gapfinder.comparison.comparison import Comparison
from gapfinder.diagnosis.measured import Measured, measure
from gapfinder.errors import UsageError
from gapfinder.gates.expression import parse
from gapfinder.job.in_trace import diagnose_trace
from gapfinder.job.paths import expanded
from gapfinder.opening import open_trace
from gapfinder.options import Options
from gapfinder.pipeline.config import Config
from gapfinder.pipeline.stages import one_of
from gapfinder.system.texts import texts


def compare_traces(
    paths: Sequence[Path], options: Options, config: Config, gates: Iterable[str], progress: Callable[[str], None]
) -> Comparison:
    """Compare each trace with the first. Gates are parsed before a trace is read. Raises the errors of `gapfinder.compare`."""
    parsed = [parse(gate, config.causes, changes=True) for gate in texts(gates)]
    measured: list[Measured] = []
    for place, path in enumerate(paths):
        try:
            measured.append(_measured(path, options, config, one_of(progress, place, len(paths))))
        except UsageError as error:
            raise UsageError(f"{path}: {error}") from error
    return compare(measured, parsed)


def _measured(path: Path, options: Options, config: Config, progress: Callable[[str], None]) -> Measured:
    """The measurements of a trace; or of a job, if the path is a folder or a pattern with several traces."""
    if len(traces := expanded(path)) > 1:
        from gapfinder.job.measured import measured as measured_job
        from gapfinder.job.traces import diagnose_job

        return measured_job(str(path), *diagnose_job(traces, options, config, progress))
    with open_trace(traces[0], options, config, progress) as trace:
        return measure(trace, diagnose_trace(trace))
