"""Aligns the ranks of each job of a fleet as `gapfinder diagnose` does, from what the ledger keeps of each trace.

A trace of one rank cannot tell waiting for another rank from moving data, and shows both as communication. The ranks of a job
together can. What changes by that is written to one file for each job. There is no replay, since the ledger keeps no launches.
"""

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from hashlib import sha256
from io import BytesIO
from typing import Any

import duckdb
import numpy as np
import polars as pl

from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.diagnosis.finding import GPU_BOUND, Evidence, Finding, Verdict
from gapfinder.diagnosis.job import COMMUNICATION, PIPELINE_BUBBLE, RANK_IMBALANCE, Job
from gapfinder.diagnosis.measured import KernelRuns
from gapfinder.diagnosis.ranking import ranked
from gapfinder.diagnosis.window import DiagnosedWindow
from gapfinder.fleet.files import read_sound
from gapfinder.fleet.ledger import LedgerFolder
from gapfinder.fleet.row import COLUMNS, Row, finding_rows
from gapfinder.fleet.task import Setup
from gapfinder.job.database import JobDatabase
from gapfinder.job.diagnose import diagnose
from gapfinder.job.patterns import by_design
from gapfinder.job.rank import Collective, Rank
from gapfinder.job.traces import numbering
from gapfinder.pipeline.cause_spec import CauseSpec
from gapfinder.query.database import rows_of
from gapfinder.replay.intervals import Interval, Intervals
from gapfinder.replay.predict import Predictions
from gapfinder.system.memory import MemoryBudget

BETWEEN = (COMMUNICATION, RANK_IMBALANCE, PIPELINE_BUBBLE)  # causes that the ranks together tell apart
IDENTITY = "identity"
# One row for each trace of the job: those of its columns that change, and the same of the job for all of them.
ALIGNED_COLUMNS: dict[str, Any] = {
    IDENTITY: pl.String,
    "trace": pl.String,
    **{name: COLUMNS[name] for name in ("verdict", "headline", "ledger", "step_ledger", "findings")},
    "job_verdict": pl.String,
    "job_headline": pl.String,
    "late_rank": pl.Int64,
    "late_cause": pl.String,
    "waiting_share": pl.Float64,
}
Waits = dict[str, list[Interval]]  # the intervals in which a rank waits, ns on its own clock, by cause


def align_jobs(ledger: LedgerFolder, setup: Setup) -> None:
    """Align the jobs whose traces changed. A job needs two traces in which something communicates."""
    for folder, files in ledger.jobs().items():
        budget = MemoryBudget(setup.options.memory_bytes)
        with closing(budget), duckdb.connect(config=budget.settings) as connection:
            traces, _ = read_sound(files, partial(_traces, connection))
            identity = sha256("\n".join(sorted(row[IDENTITY] for row in traces)).encode()).hexdigest()
            if len(traces) < 2:
                ledger.remove_aligned(folder)
            elif ledger.aligned_identity(folder) != identity:
                rows = _aligned(connection, traces, setup.config.causes) or [{}]
                content = BytesIO()
                pl.DataFrame([row | {IDENTITY: identity} for row in rows], schema=ALIGNED_COLUMNS).write_parquet(content)
                ledger.write_aligned(folder, content.getvalue())


def _traces(connection: duckdb.DuckDBPyConnection, files: list[str]) -> list[Row]:
    """The rows of the traces that can be aligned, in the order of their ranks, without their stretches and losses."""
    if not files:
        return []
    connection.execute("SET VARIABLE files = $1", [files])
    return rows_of(
        connection,
        'SELECT * EXCLUDE ("rank", rank_stretches, rank_losses), CAST("rank" AS INTEGER) AS "rank" '
        "FROM read_parquet(getvariable('files'), filename = true, hive_partitioning = true, hive_types_autocast = false) "
        'WHERE len(rank_gpus) > 0 ORDER BY CAST("rank" AS INTEGER), trace',
    )


def _aligned(connection: duckdb.DuckDBPyConnection, traces: Sequence[Row], specs: Mapping[str, CauseSpec]) -> list[Row]:
    """What is to be written of the traces of a job; empty if they share no collective."""
    with JobDatabase() as database:
        ranks: list[Rank] = []
        place: dict[int, tuple[int, int]] = {}  # the index of the trace and the GPU of each rank
        for index, row in enumerate(traces):
            gpus = [rank["gpu"] for rank in row["rank_gpus"]]
            numbers = dict(zip(gpus, numbering(row["rank"], ranks)(len(gpus)), strict=True))
            place |= {number: (index, gpu) for gpu, number in numbers.items()}
            for table, column in (("stretches", "rank_stretches"), ("losses", "rank_losses")):
                query = f"SELECT unnest({column}, recursive := true) FROM read_parquet($1)"
                database.take(connection.sql(query, params=[row["filename"]]), table, numbers)
            ranks += _ranks(row, numbers, specs)
        job = diagnose(ranks, database, specs)
        if job is None:
            return []
        waits: list[dict[int, Waits]] = [{} for _ in traces]
        for piece in database.rows(f"SELECT * FROM charged_pieces WHERE cause <> '{COMMUNICATION}' ORDER BY start_ns"):
            index, gpu = place[piece["rank"]]
            waits[index].setdefault(gpu, {}).setdefault(piece["cause"], []).append((piece["start_ns"], piece["end_ns"]))
    return [_row(row, job, of_trace, specs) for row, of_trace in zip(traces, waits, strict=True)]


def _ranks(row: Row, numbers: Mapping[int, int], specs: Mapping[str, CauseSpec]) -> list[Rank]:
    """The ranks of a trace, as `job.extract` makes them, without what a replay needs."""
    diagnosis = _diagnosis(row, specs)
    steps = [(step["start_ns"], step["start_ns"] + step["length_ns"]) for step in row["step_totals"]]
    return [
        Rank(
            number=numbers[gpu["gpu"]],
            trace=row["trace"],
            gpu=gpu["gpu"],
            gpu_name=gpu["gpu_name"],
            started_ns=gpu["started_ns"],
            whole_steps=bool(steps),
            diagnosis=diagnosis,
            collectives=[
                Collective(**{name: one[name] for name in Collective._fields})
                for one in row["rank_collectives"]
                if one["gpu"] == gpu["gpu"]
            ],
            steps=sorted(set(steps)),
            kernels={
                one["name"]: KernelRuns(one["times"], one["gpu_ns"]) for one in row["rank_kernels"] if one["gpu"] == gpu["gpu"]
            },
            shares_stream=gpu["shares_stream"],
            timeline=None,
            changes={},
        )
        for gpu in row["rank_gpus"]
    ]


def _diagnosis(row: Row, specs: Mapping[str, CauseSpec]) -> Diagnosis:
    """The diagnosis of a trace, as far as that of its job needs it."""
    start_ns, end_ns = row["window_start_ns"], row["window_end_ns"]
    return Diagnosis(
        trace=row["trace"],
        verdict=Verdict(row["verdict"], row["headline"]),
        window=DiagnosedWindow(
            start_ns,
            end_ns,
            row["devices"][0]["window_ns"],
            row["steps"],
            row["step_ns"],
            row["step_source"],
            row["step_name"],
            row["excluded_steps"],
            "steps",
        ),
        devices=[],
        causes=_findings(row, specs),
        replay_error=row["replay_error"],
    )


def _findings(row: Row, specs: Mapping[str, CauseSpec]) -> list[Finding]:
    return [
        Finding(
            cause=one["cause"],
            meaning=specs[one["cause"]].meaning,
            lost_ns=one["lost_ns"],
            share=one["share"],
            count=one["segments"],
            is_finding=one["is_finding"],
            fix=one["fix"],
            evidence=[
                Evidence(
                    text,
                    one["source_line"] if one["source_line"] and text.startswith(one["source_line"]) else None,
                    one["nvtx"] if one["nvtx"] and one["nvtx"] in text else None,
                )
                for text in one["evidence"]
            ],
            predicted_step_ns=one["predicted_step_ns"],
        )
        for one in row["findings"]
    ]


def _row(row: Row, job: Job, waits: Mapping[int, Waits], specs: Mapping[str, CauseSpec]) -> Row:
    """What changes of a trace."""
    whole = [{"gpu": gpu, "start_ns": row["window_start_ns"], "end_ns": row["window_end_ns"]} for gpu in waits]
    ledger = _split(row["ledger"], whole, waits, ("gpu",))
    steps = [one | {"end_ns": one["start_ns"] + one["length_ns"]} for one in row["step_totals"]]
    causes = _causes(row, ledger, job, specs)
    verdict = next((cause.cause for cause in causes if cause.is_finding), GPU_BOUND)
    return {
        "trace": row["trace"],
        "verdict": verdict,
        "headline": row["headline"] if verdict == row["verdict"] else job.headline,
        "ledger": ledger,
        "step_ledger": _split(row["step_ledger"], steps, waits, ("gpu", "step")),
        "findings": finding_rows(causes),
        "job_verdict": job.verdict,
        "job_headline": job.headline,
        "late_rank": job.late.rank if job.late else None,
        "late_cause": job.late.cause if job.late else None,
        "waiting_share": job.late.share if job.late else None,
    }


def _split(lines: Sequence[Row], spans: Sequence[Row], waits: Mapping[int, Waits], keys: tuple[str, ...]) -> list[Row]:
    """The lines of a ledger, in which the time between ranks is split into waiting and moving data. Their sum stays.

    `spans` are what the lines speak of: rows with `keys`, `start_ns` and `end_ns`.
    """
    waited: dict[tuple[int, ...], dict[str, int]] = {}
    for gpu, of_gpu in waits.items():
        own = [span for span in spans if span["gpu"] == gpu]
        start_ns, end_ns = (np.array([span[name] for span in own], np.int64) for name in ("start_ns", "end_ns"))
        for cause, intervals in of_gpu.items():
            for span, ns in zip(own, Intervals.of(intervals).within(start_ns, end_ns).tolist(), strict=True):
                if ns:
                    waited.setdefault(tuple(span[key] for key in keys), {})[cause] = ns
    result: list[Row] = []
    between: list[Row] = []
    for line in lines:
        (between if line["cause"] in BETWEEN and line["gpu"] in waits else result).append(line)
    pools: dict[tuple[int, ...], Row] = {}
    for line in between:
        key = tuple(line[name] for name in keys)
        added = {name: pools[key][name] + line[name] for name in line.keys() - {*keys, "cause"}} if key in pools else {}
        pools[key] = line | added
    for key, pool in pools.items():
        parts = waited.get(key, {})
        parts = parts | {COMMUNICATION: pool["lost_ns"] - sum(parts.values())}
        result += [pool | {"cause": cause, "lost_ns": ns} for cause, ns in parts.items() if ns]
    return result


def _causes(row: Row, ledger: Sequence[Row], job: Job, specs: Mapping[str, CauseSpec]) -> list[Finding]:
    """The causes of a trace in their order, with those that the ranks together tell apart."""
    window_ns = sum(device["window_ns"] for device in row["devices"])
    before = {finding.cause: finding for finding in _findings(row, specs)}
    designed = by_design(job.pattern, specs)
    causes = [finding for cause, finding in before.items() if cause not in BETWEEN]
    for cause in BETWEEN:
        lines = [line for line in ledger if line["cause"] == cause]
        lost_ns = sum(line["lost_ns"] for line in lines)
        if not lines:
            continue
        spec, known = specs[cause], before.get(cause)
        of_job = cause == job.verdict
        evidence = job.evidence if of_job else known.evidence if known else []
        causes.append(
            Finding(
                cause=cause,
                meaning=spec.meaning,
                lost_ns=lost_ns,
                share=lost_ns / window_ns,
                count=sum(line["segments"] for line in lines),
                is_finding=False,  # `ranked` decides
                fix=(job.fix if of_job else known.fix if known else None) or spec.usual_fix or None,
                evidence=evidence,
            )
        )
    predictions = {cause.cause: cause.predicted_step_ns for cause in causes if cause.predicted_step_ns is not None}
    in_order = ranked(causes, Predictions(step_ns=predictions), row["step_ns"], specs)
    in_order = [replace(cause, is_finding=cause.is_finding and cause.cause not in designed) for cause in in_order]
    return sorted(in_order, key=lambda cause: cause.cause in designed)
