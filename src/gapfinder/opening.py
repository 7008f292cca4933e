"""Opens a trace: reads it and computes its layers, unless it is a conversion that has them."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import duckdb

from gapfinder.conversion.database import reopened
from gapfinder.options import Options
from gapfinder.pipeline.config import Config
from gapfinder.pipeline.database import read
from gapfinder.system.memory import Room
from gapfinder.trace import OpenTrace

AnyTrace = TypeVar("AnyTrace", bound=OpenTrace)


def open_trace(
    path: Path, options: Options, config: Config, progress: Callable[[str], None], *, fresh: bool = False
) -> OpenTrace:
    """The trace at `path`; the rest is as in `open_as`."""
    return open_as(OpenTrace, path, options, config, progress, fresh=fresh)


def open_as(
    kind: type[AnyTrace],
    path: Path,
    options: Options,
    config: Config,
    progress: Callable[[str], None],
    *,
    unsafe: bool = False,
    fresh: bool = False,
) -> AnyTrace:
    """The trace at `path`, as an object of a class of handles; `progress` is told what goes on.

    With `unsafe`, SQL of the user's may do all that DuckDB can. With `fresh`, a conversion's layers are computed again: as they
    are, they cannot be written to. Errors as of `gapfinder.open`.
    """
    room = Room(options.memory_bytes)
    try:
        if not (unsafe or fresh) and (kept := reopened(path, options, config, room)):
            connection, tables = kept
            return kind(connection, path, options, config, tables, room, None)
        connection = duckdb.connect(config=room.settings)
        try:
            runner, tables = read(connection, path, options, config, progress, unsafe=unsafe)
        except BaseException:
            connection.close()
            raise
    except BaseException:
        room.close()
        raise
    return kind(connection, path, options, config, tables, room, runner, unsafe=unsafe)
