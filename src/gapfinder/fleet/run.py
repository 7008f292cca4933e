"""Runs a fleet: finds the traces, examines those that are new or changed, and writes the results to the fleet's folder."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from gapfinder.fleet.align import align_jobs
from gapfinder.fleet.engine import examine_all
from gapfinder.fleet.folder import FleetFolder
from gapfinder.fleet.naming import Naming
from gapfinder.fleet.task import Setup
from gapfinder.fleet.traces import FleetTrace, find_traces
from gapfinder.options import Options
from gapfinder.pipeline.config import Config
from gapfinder.system.writing import check_target


@dataclass(frozen=True)
class Plan:
    """What a run will do: `todo` are the traces to examine, `unchanged` is the number of up-to-date traces."""

    fleet: FleetFolder
    setup: Setup
    todo: list[FleetTrace]
    unchanged: int

    def run(self, *, workers: int, scheduler: str | None, on_examined: Callable[[], None]) -> None:
        """Examine the traces and write their files; calls `on_examined` after each. Then align the ranks of each job.

        Raises UsageError as `examine_all`.
        """
        if self.todo:
            for trace, content in examine_all(self.todo, self.setup, workers=workers, scheduler=scheduler):
                self.fleet.write(trace, content)
                on_examined()
        align_jobs(self.fleet, self.setup)


def plan_run(patterns: Iterable[str], folder: Path, options: Options, config: Config, naming: Naming, *, retry: bool) -> Plan:
    """Plan a run that reads every new or changed trace. With `retry`, unreadable traces are tried again.

    Raises UsageError if nothing matches, or the folder is not of a fleet or lies in a trace; TraceError as `check_manifest`.
    """
    traces = find_traces(patterns, naming)
    if folder.parent.is_dir():
        check_target(folder, [trace.local for trace in traces if trace.local])
    setup = Setup.of(options, config)
    fleet = FleetFolder(folder)
    entries = fleet.entries()
    files = {trace.key: fleet.file_of(trace) for trace in traces}
    for file in entries:  # remove a file whose trace now has another job or rank
        if files.get(file.stem, file) != file:
            file.unlink()
    todo = []
    for trace in traces:
        identity, good = entries.get(files[trace.key], ("", True))
        if identity != trace.identity(setup.digest) or (retry and not good):
            todo.append(trace)
    return Plan(fleet, setup, todo, len(traces) - len(todo))
