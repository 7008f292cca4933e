"""Extracts from a trace what a job needs: its ranks, and their rows for the job's database."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.diagnosis.evidence import evidence_of_gpu
from gapfinder.diagnosis.measured import KernelRuns
from gapfinder.job.database import VIEWS, JobDatabase
from gapfinder.job.rank import Collective, Rank
from gapfinder.replay.causes import changes
from gapfinder.replay.timeline import ReplayWindow, Timeline
from gapfinder.trace import OpenTrace


def extract(
    trace: OpenTrace, diagnosis: Diagnosis, database: JobDatabase, number_ranks: Callable[[int], Sequence[int]]
) -> list[Rank]:
    """The ranks of a trace. What VIEWS names is written to the job's database.

    `number_ranks` returns the numbers for a given count of ranks.
    """
    rows = trace.id_rows("SELECT * FROM rank_gpus")
    numbers = dict(zip((row["gpu"] for row in rows), number_ranks(len(rows)), strict=True))
    steps = trace.id_rows("SELECT * FROM window_steps ORDER BY step")
    collectives = _by_gpu(
        trace, f"SELECT gpu, {', '.join(Collective._fields)} FROM rank_collectives ORDER BY end_ns, activity_id"
    )
    kernels = _by_gpu(trace, "SELECT gpu, name, times, gpu_ns FROM rank_kernels")
    shared = _by_gpu(trace, "SELECT gpu, stream FROM rank_shared_streams")
    pids = [row["pid"] for row in rows]
    window = ReplayWindow.of(trace)
    losses = trace.tuples("SELECT pid, cause, replayed_ns, usual_ns FROM replay_shares")
    ranks = []
    for row in rows:
        gpu = row["gpu"]
        # a process with several GPUs has one CPU timeline for all of them
        timeline = Timeline.of(trace, replace(window, pid=row["pid"])) if pids.count(row["pid"]) == 1 else None
        ranks.append(
            Rank(
                number=numbers[gpu],
                trace=str(trace.path),
                gpu=gpu,
                gpu_name=row["gpu_name"],
                started_ns=row["started_ns"],
                has_steps=not diagnosis.window.is_one,
                diagnosis=diagnosis,
                collectives=[Collective(*values) for values in collectives.get(gpu, [])],
                steps=[(row["start_ns"], row["end_ns"]) for row in steps],
                step_numbers=[row["step"] for row in steps],
                kernels={name: KernelRuns(times, gpu_ns) for name, times, gpu_ns in kernels.get(gpu, [])},
                shares_stream=gpu in shared,
                timeline=timeline,
                changes=changes(trace, timeline) if timeline else {},
                losses={cause: (replayed_ns, usual_ns) for pid, cause, replayed_ns, usual_ns in losses if pid == row["pid"]},
                evidence=evidence_of_gpu(trace, diagnosis.window, gpu) if len(diagnosis.devices) > 1 else None,
            )
        )
    # at last, so that a trace that cannot be used leaves nothing there
    for table, view in VIEWS.items():
        query = f"SELECT * FROM {view}"
        database.take(trace.cursor(query, named=False).sql(query), table, numbers)
    return ranks


def _by_gpu(trace: OpenTrace, query: str) -> dict[int, list[tuple[Any, ...]]]:
    """The rows of a query by their first column, the GPU; the rows are without it."""
    by_gpu: dict[int, list[tuple[Any, ...]]] = {}
    for gpu, *rest in trace.tuples(query):
        by_gpu.setdefault(gpu, []).append(tuple(rest))
    return by_gpu
