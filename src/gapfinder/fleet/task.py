"""The task of a fleet: read and diagnose one trace, and make its file for the fleet's folder."""

import re
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import duckdb

from gapfinder.conversion.record import relations_digest
from gapfinder.fleet.row import Row, as_parquet, row_of
from gapfinder.fleet.traces import FleetTrace, local_copy
from gapfinder.fleet.urls import without_credentials
from gapfinder.options import Options
from gapfinder.pipeline.config import Config
from gapfinder.pipeline.database import read
from gapfinder.pipeline.stages import silent
from gapfinder.system.memory import MemoryBudget
from gapfinder.trace import OpenTrace
from gapfinder.units import clean_text

_FOLDERS = re.compile(r"(?<![\w:/.])/(?:[^\s/'\":]+/)+")  # the folders of an absolute path


@dataclass(frozen=True)
class Setup:
    """The options and the config of a run; `digest` covers everything that the results depend on except the traces."""

    options: Options
    config: Config
    digest: str

    @classmethod
    def of(cls, options: Options, config: Config) -> "Setup":
        """The setup of a run with this version of gapfinder."""
        return cls(options, config, relations_digest(options, config))


def examine(trace: FleetTrace, setup: Setup, memory_bytes: int | None = None) -> bytes:
    """Diagnose a trace; returns the content of its Parquet file, one row as in `fleet.row`. Never raises: an error becomes a row.

    DuckDB uses one thread, because other processes read other traces. The process takes at most `memory_bytes`: what DuckDB
    needs beyond its part of them is spilled to disk.
    """
    try:
        with local_copy(trace) as path:
            try:
                return as_parquet(_identity(trace, setup) | _results(path, setup, memory_bytes, is_rank=trace.rank is not None))
            except Exception as error:  # noqa: BLE001  the other traces must go on
                return unreadable(trace, setup, str(error).replace(str(path), trace.name) or type(error).__name__)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001  file systems raise errors of any class, and a panic of polars is no Exception
        return unreadable(trace, setup, f"{trace.name} cannot be read: {error or type(error).__name__}")


def unreadable(trace: FleetTrace, setup: Setup, why: str) -> bytes:
    """The file of a trace that could not be diagnosed. It keeps one line of `why`, without any path but the one the user gave."""
    line = without_credentials(why.strip().replace(trace.url, trace.name).partition("\n")[0])
    parts = line.split(trace.name)
    error = trace.name.join(_FOLDERS.sub("", part) for part in parts)
    return as_parquet(_identity(trace, setup) | {"error": clean_text(error)})


def _identity(trace: FleetTrace, setup: Setup) -> Row:
    return {"trace": trace.name, "identity": trace.identity(setup.digest), "size_bytes": trace.size_bytes}


def _results(path: Path, setup: Setup, memory_bytes: int | None, *, is_rank: bool) -> Row:
    """The diagnosis of a trace. That of a rank speaks of its steps, as its job does."""
    options = setup.options.for_rank() if is_rank else setup.options
    budget = MemoryBudget(memory_bytes)
    with closing(budget), duckdb.connect(config=budget.settings | {"threads": 1}) as connection:
        connection.execute("SET enable_progress_bar = false")  # DuckDB takes a worker process for a terminal
        runner, tables = read(connection, path, options, setup.config, silent)
        return row_of(OpenTrace(connection, path, options, setup.config, tables, budget, runner))
