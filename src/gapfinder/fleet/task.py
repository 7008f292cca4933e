"""The task: one trace, read and diagnosed, as the file that is kept of it."""

import re
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import duckdb

from gapfinder.conversion.record import computing
from gapfinder.fleet.row import Row, as_parquet, row_of
from gapfinder.fleet.traces import FleetTrace, at_hand
from gapfinder.options import Options
from gapfinder.pipeline.config import Config
from gapfinder.pipeline.database import read
from gapfinder.system.memory import Room
from gapfinder.trace import OpenTrace
from gapfinder.units import clean_text

_FOREIGN_PATH = re.compile(r"(?<![\w:/.])/(?:[^\s/'\":]+/)+")  # folders of an absolute path


@dataclass(frozen=True)
class Setup:
    """How every trace of a run is computed: by which options and config, and a digest of all that matters for the result."""

    options: Options
    config: Config
    computing: str

    @classmethod
    def of(cls, options: Options, config: Config) -> "Setup":
        """That of this gapfinder."""
        return cls(options, config, computing(options, config))


def examine(trace: FleetTrace, setup: Setup, memory_bytes: int | None = None) -> bytes:
    """The Parquet file of a trace: its one row, as `fleet.row` has it. It never raises: what is wrong is said in that row.

    DuckDB uses one thread, since others do the other traces, and no more than `memory_bytes` before it turns to the disk.
    """
    try:
        with at_hand(trace) as path:
            try:
                return as_parquet(_known(trace, setup) | _computed(path, setup, memory_bytes))
            except Exception as error:  # noqa: BLE001  whatever is wrong with one trace, the others go on
                return unread(trace, setup, str(error).replace(str(path), trace.name) or type(error).__name__)
    except Exception as error:  # noqa: BLE001  those of file systems have no base of their own
        return unread(trace, setup, f"{trace.name} cannot be read: {error or type(error).__name__}")


def unread(trace: FleetTrace, setup: Setup, why: str) -> bytes:
    """The file of a trace that could not be diagnosed: why, in one line, with no path of the machine but the given one."""
    parts = why.strip().partition("\n")[0].split(trace.name)
    error = trace.name.join(_FOREIGN_PATH.sub("", part) for part in parts)
    return as_parquet(_known(trace, setup) | {"error": clean_text(error)})


def _known(trace: FleetTrace, setup: Setup) -> Row:
    return {"trace": trace.name, "identity": trace.identity(setup.computing), "size_bytes": trace.size_bytes}


def _computed(path: Path, setup: Setup, memory_bytes: int | None) -> Row:
    room = Room(memory_bytes)
    with closing(room), duckdb.connect(config=room.settings | {"threads": 1}) as connection:
        connection.execute("SET enable_progress_bar = false")  # a worker process is a terminal to DuckDB
        runner, tables = read(connection, path, setup.options, setup.config, lambda _: None)
        return row_of(OpenTrace(connection, path, setup.options, setup.config, tables, room, runner))
