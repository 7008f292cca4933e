"""Opens a trace: reads an export, or reopens a conversion, which already has all relations."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import duckdb

from gapfinder.conversion.database import reopen
from gapfinder.options import Options
from gapfinder.pipeline.config import Config
from gapfinder.pipeline.database import read
from gapfinder.system.ending import working
from gapfinder.system.interrupting import interruptible
from gapfinder.system.memory import MemoryBudget
from gapfinder.system.scratch import keep
from gapfinder.trace import OpenTrace

AnyTrace = TypeVar("AnyTrace", bound=OpenTrace)


def open_trace(path: Path, options: Options, config: Config, progress: Callable[[str], None]) -> OpenTrace:
    """Open the trace at `path`. The parameters are those of `open_as`."""
    return open_as(OpenTrace, path, options, config, progress)


@interruptible()
@working()
def open_as(
    kind: type[AnyTrace],
    path: Path,
    options: Options,
    config: Config,
    progress: Callable[[str], None],
    *,
    unsafe: bool = False,
) -> AnyTrace:
    """Open the trace at `path` as an object of class `kind`. `progress` is called with a few words for each stage.

    With `unsafe`, the user's SQL may do everything that DuckDB can. Raises the errors of `gapfinder.open`.
    """
    keep(path)
    budget = MemoryBudget(options.memory_bytes)
    try:
        if not unsafe and (kept := reopen(path, options, config, budget)):
            connection, tables, runner = kept
            return kind(connection, path, options, config, tables, budget, runner, foreign=True)
        connection = duckdb.connect(config=budget.settings)
        try:
            runner, tables = read(connection, path, options, config, progress, unsafe=unsafe, limit_bytes=budget.limit_bytes)
        except BaseException:
            connection.close()
            raise
    except BaseException:
        budget.close()
        raise
    return kind(connection, path, options, config, tables, budget, runner, unsafe=unsafe)
