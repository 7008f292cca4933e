"""A conversion as a folder of Parquet files: one for each relation, and the tables that were read, to read them again."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import duckdb

from gapfinder.conversion.database import fill
from gapfinder.ingest.nsys.converted import EXPORT, RECORD
from gapfinder.options import Options
from gapfinder.pipeline.catalogue import described
from gapfinder.pipeline.config import Config
from gapfinder.system.memory import Room
from gapfinder.trace import OpenTrace as Trace

INTERNAL = ("40_causes", "60_replay")  # layers that only other layers and the replay read


def write(folder: Path, path: Path, options: Options, config: Config, progress: Callable[[str], None]) -> None:
    """Make a new folder of the trace at `path`. Errors as of `read`."""
    (folder / EXPORT).mkdir(parents=True)
    room = Room(options.memory_bytes)
    with closing(room), closing(duckdb.connect(config=room.settings)) as connection:
        runner, tables = fill(connection, path, options, config, progress)
        trace = Trace(connection, path, options, config, tables, room, runner)
        progress("writing")
        for relation in described(connection, runner.relations.values()).values():
            if relation.layer not in INTERNAL:
                trace.frame(f'SELECT * FROM "{relation.name}"').write_parquet(folder / f"{relation.name}.parquet")
        for table in sorted(tables):
            rows = trace.frame(f'SELECT * FROM export."{table}" ORDER BY rowid')
            rows.write_parquet(folder / EXPORT / f"{table}.parquet")
        trace.frame("SELECT * FROM conversion").write_parquet(folder / RECORD)
