"""A run: finds the traces, has those examined that are not in the ledger as they are, and keeps what is made of each."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from gapfinder.fleet.engine import examined
from gapfinder.fleet.ledger import LedgerFolder
from gapfinder.fleet.naming import Naming
from gapfinder.fleet.task import Setup
from gapfinder.fleet.traces import FleetTrace, found
from gapfinder.options import Options
from gapfinder.pipeline.config import Config


@dataclass(frozen=True)
class Plan:
    """`todo` is to be examined, `done` is in the ledger with the same identity."""

    ledger: LedgerFolder
    setup: Setup
    todo: list[FleetTrace]
    done: int

    def run(self, *, workers: int, scheduler: str | None, examined_one: Callable[[], None]) -> None:
        """Examine and keep each; `examined_one` is told of every trace. Raises UsageError as `fleet.engine.examined`."""
        if not self.todo:
            return
        for trace, content in examined(self.todo, self.setup, workers=workers, scheduler=scheduler):
            self.ledger.keep(trace, content)
            examined_one()


def planned(patterns: Iterable[str], folder: Path, options: Options, config: Config, naming: Naming, *, again: bool) -> Plan:
    """What there is to do so that the ledger in `folder` has every trace that matches; `again` for those that were not read, too.

    Raises UsageError where nothing matches or the folder is no ledger, TraceError where it is that of another gapfinder.
    """
    traces = found(patterns, naming)
    setup = Setup.of(options, config)
    ledger = LedgerFolder(folder)
    kept = ledger.kept()
    places = {trace.key: ledger.place(trace) for trace in traces}
    for file in kept:  # under the job or rank that it had by another naming
        if places.get(file.stem, file) != file:
            file.unlink()
    todo = []
    for trace in traces:
        identity, good = kept.get(places[trace.key], ("", True))
        if identity != trace.identity(setup.computing) or (again and not good):
            todo.append(trace)
    return Plan(ledger, setup, todo, len(traces) - len(todo))
