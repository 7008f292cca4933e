"""Aligns the ranks of each job of a fleet as `gapfinder diagnose` does, from what its folder keeps of each trace.

A trace of one rank cannot tell waiting for another rank from moving data, and shows both as communication. The ranks of a job
together can. What changes by that is written to one file for each job. There is no replay, since it keeps no launches.
"""

from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import partial
from hashlib import sha256
from io import BytesIO
from typing import TYPE_CHECKING

import duckdb
import polars as pl

from gapfinder.diagnosis.job import COMMUNICATION
from gapfinder.fleet.aligned_row import ALIGNED_COLUMNS, IDENTITY, TRACE_IDENTITY, Waits, aligned_row
from gapfinder.fleet.files import read_sound
from gapfinder.fleet.folder import FleetFolder
from gapfinder.fleet.ranks import ranks_of
from gapfinder.fleet.row import Row
from gapfinder.fleet.task import Setup
from gapfinder.job.database import VIEWS, JobDatabase
from gapfinder.job.diagnose import diagnose
from gapfinder.job.traces import numbering, same_recording
from gapfinder.pipeline.cause_spec import CauseSpec
from gapfinder.query.database import rows_of
from gapfinder.system.memory import MemoryBudget

if TYPE_CHECKING:
    from gapfinder.job.rank import Rank

OWN = "a cause of another run's config"  # the meaning of a cause that this run does not know


def align_jobs(fleet: FleetFolder, setup: Setup) -> None:
    """Align the jobs whose traces changed. A job needs two traces in which something communicates."""
    for folder, files in fleet.jobs().items():
        budget = MemoryBudget(setup.options.memory_bytes)
        with closing(budget), duckdb.connect(config=budget.settings) as connection:
            (traces, bad), _ = read_sound(files, partial(_traces, connection))
            known = [*sorted(row[IDENTITY] or "" for row in traces), *bad]
            identity = sha256("\n".join(known).encode()).hexdigest()
            if len(traces) < 2:
                fleet.remove_aligned(folder)
            elif fleet.aligned_identity(folder) != identity:
                rows = _aligned(connection, traces, bad, setup.config.causes) or [{}]
                content = BytesIO()
                pl.DataFrame([row | {IDENTITY: identity} for row in rows], schema=ALIGNED_COLUMNS).write_parquet(content)
                fleet.write_aligned(folder, content.getvalue())


def _traces(connection: duckdb.DuckDBPyConnection, files: list[str]) -> tuple[list[Row], list[str]]:
    """The rows of the traces that can be aligned, in the order of their ranks, without what the job's database takes.

    And the traces that cannot be used.
    """
    if not files:
        return [], []
    connection.execute("SET VARIABLE files = $1", [files])
    rows = "FROM read_parquet(getvariable('files'), filename = true, hive_partitioning = true, hive_types_autocast = false)"
    traces = rows_of(
        connection,
        f'SELECT * EXCLUDE ("rank", {", ".join(VIEWS.values())}), CAST("rank" AS INTEGER) AS "rank" {rows} '
        'WHERE len(rank_gpus) > 0 ORDER BY CAST("rank" AS INTEGER), trace, filename',
    )
    bad = connection.execute(f"SELECT trace {rows} WHERE error IS NOT NULL ORDER BY trace").fetchall()
    return traces, [trace for (trace,) in bad]


def _copies(traces: Sequence[Row], specs: Mapping[str, CauseSpec]) -> dict[str, str]:
    """The traces that hold the same recording as one before them, which it is, by identity."""
    copies: dict[str, str] = {}
    ranks: list[Rank] = []
    for row in traces:
        own = ranks_of(row, {rank["gpu"]: 0 for rank in row["rank_gpus"]}, specs)
        if twice := same_recording(own, ranks):
            copies[row[IDENTITY]] = twice.trace
        else:
            ranks += own
    return copies


def _latest(traces: Sequence[Row]) -> list[Row]:
    """Of each rank that a path names the latest recording: one of another day is no further rank."""
    latest: dict[int, Row] = {}
    for row in traces:
        rank = row["rank"]
        if rank is not None and (rank not in latest or (row["started_utc_ns"] or 0) > (latest[rank]["started_utc_ns"] or 0)):
            latest[rank] = row
    return [row for row in traces if row["rank"] is None or latest[row["rank"]] is row]


def _aligned(
    connection: duckdb.DuckDBPyConnection, traces: Sequence[Row], bad: Sequence[str], specs: Mapping[str, CauseSpec]
) -> list[Row]:
    """What is to be written of the traces of a job. Of copies, which would wait for themselves, only that they are."""
    specs = {**{one["cause"]: CauseSpec(one["cause"], OWN) for row in traces for one in row["causes"]}, **specs}
    copies = _copies(traces, specs)
    same = [
        {TRACE_IDENTITY: row[IDENTITY], "trace": row["trace"], "same_as": copies[row[IDENTITY]]}
        for row in traces
        if row[IDENTITY] in copies
    ]
    traces = _latest([row for row in traces if row[IDENTITY] not in copies])
    with JobDatabase() as database:
        ranks: list[Rank] = []
        place: dict[int, tuple[int, int]] = {}  # the index of the trace and the GPU of each rank
        for index, row in enumerate(traces):
            gpus = [rank["gpu"] for rank in row["rank_gpus"]]
            numbers = dict(zip(gpus, numbering(row["rank"], ranks)(len(gpus)), strict=True))
            place |= {number: (index, gpu) for gpu, number in numbers.items()}
            for table, column in VIEWS.items():
                query = f"SELECT unnest({column}, recursive := true) FROM read_parquet($1)"
                database.take(connection.sql(query, params=[row["filename"]]), table, numbers)
            ranks += ranks_of(row, numbers, specs)
        job = diagnose(ranks, database, specs, unusable=bad)
        if job is None:
            return same
        waits: list[dict[int, Waits]] = [{} for _ in traces]
        for piece in database.rows(f"SELECT * FROM charged_pieces WHERE cause <> '{COMMUNICATION}' ORDER BY start_ns"):
            index, gpu = place[piece["rank"]]
            waits[index].setdefault(gpu, {}).setdefault(piece["cause"], []).append((piece["start_ns"], piece["end_ns"]))
    return same + [aligned_row(row, job, of_trace, specs) for row, of_trace in zip(traces, waits, strict=True)]
