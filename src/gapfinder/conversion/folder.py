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

INTERNAL_LAYERS = ("40_causes", "60_replay")  # only other layers and the replay read them


def write(folder: Path, path: Path, options: Options, config: Config, progress: Callable[[str], None]) -> None:
    """Write a new folder from the trace at `path`. Raises the errors of `read`."""
    (folder / EXPORT_FOLDER).mkdir(parents=True)
    budget = MemoryBudget(options.memory_bytes)
    with closing(budget), closing(duckdb.connect(config=budget.settings)) as connection:
        connection.execute("SET GLOBAL allowed_directories = $1", [[str(folder)]])  # `fill` then forbids all others
        runner, tables = fill(connection, path, options, config, progress, budget)
        progress("writing")
        connection.execute("SET GLOBAL preserve_insertion_order = true")  # an activity's id is the number of its row
        for relation in described(connection, runner.relations.values()).values():
            if relation.layer not in INTERNAL_LAYERS:
                _write(connection, f'"{relation.schema}"."{relation.name}"', folder / f"{relation.name}.parquet")
        for table in sorted(tables):
            _write(connection, f'export."{table}"', folder / EXPORT_FOLDER / f"{table}.parquet")
        _write(connection, "main.conversion", folder / RECORD)


def _write(connection: duckdb.DuckDBPyConnection, relation: str, file: Path) -> None:
    rows = connection.sql(f"FROM {relation}")
    # Parquet has no HUGEINT, the type of sums: they would become numbers with a fraction
    columns = [
        f'CAST("{column}" AS BIGINT) AS "{column}"' if kind == "HUGEINT" else f'"{column}"'
        for column, kind in zip(rows.columns, rows.types, strict=True)
    ]
    name = str(file).replace("'", "''")
    connection.execute(f"COPY (SELECT {', '.join(columns)} FROM {relation}) TO '{name}' (FORMAT parquet, COMPRESSION zstd)")
