"""Makes a conversion as a folder of Parquet files: one for each relation, and one for each table of the export."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import duckdb

from gapfinder.conversion.database import fill
from gapfinder.ingest.nsys.converted import EXPORT_FOLDER, RECORD
from gapfinder.options import Options
from gapfinder.pipeline.catalogue import described
from gapfinder.pipeline.config import Config
from gapfinder.system.memory import MemoryBudget
from gapfinder.trace import OpenTrace

INTERNAL_LAYERS = ("40_causes", "60_replay")  # only other layers and the replay read them


def write(folder: Path, path: Path, options: Options, config: Config, progress: Callable[[str], None]) -> None:
    """Write a new folder from the trace at `path`. Raises the errors of `read`."""
    (folder / EXPORT_FOLDER).mkdir(parents=True)
    budget = MemoryBudget(options.memory_bytes)
    with closing(budget), closing(duckdb.connect(config=budget.settings)) as connection:
        runner, tables = fill(connection, path, options, config, progress, budget)
        trace = OpenTrace(connection, path, options, config, tables, budget, runner)
        progress("writing")
        for relation in described(connection, runner.relations.values()).values():
            if relation.layer not in INTERNAL_LAYERS:
                trace.frame(f'SELECT * FROM "{relation.name}"').write_parquet(folder / f"{relation.name}.parquet")
        for table in sorted(tables):
            rows = trace.frame(f'SELECT * FROM export."{table}" ORDER BY rowid')
            rows.write_parquet(folder / EXPORT_FOLDER / f"{table}.parquet")
        trace.frame("SELECT * FROM conversion").write_parquet(folder / RECORD)
