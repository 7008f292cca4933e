"""The row of a trace that is aligned with the other ranks of its job: its ledger, steps and causes as the job tells them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from gapfinder.diagnosis.cause import GPU_BOUND, DiagnosedCause
from gapfinder.diagnosis.job import BETWEEN_RANKS, COMMUNICATION, PIPELINE_BUBBLE, Job
from gapfinder.diagnosis.ranking import ranked
from gapfinder.fleet.ranks import causes_of
from gapfinder.fleet.row import COLUMNS, Row, cause_rows
from gapfinder.job.patterns import by_design
from gapfinder.pipeline.cause_spec import CauseSpec
from gapfinder.replay.intervals import Interval, Intervals
from gapfinder.replay.predict import Predictions

BETWEEN = (*BETWEEN_RANKS, PIPELINE_BUBBLE)  # causes that the ranks together tell apart
IDENTITY = "identity"  # of all traces of the job
TRACE_IDENTITY = "trace_identity"
# One row for each trace of the job: those of its columns that change, and the same of the job for all of them. Of a copy, only
# `same_as`: the trace whose recording it holds.
ALIGNED_COLUMNS: dict[str, Any] = {
    IDENTITY: pl.String,
    TRACE_IDENTITY: pl.String,
    "trace": pl.String,
    "same_as": pl.String,
    **{name: COLUMNS[name] for name in ("verdict", "headline", "ledger", "step_ledger", "causes")},
    "job_verdict": pl.String,
    "job_headline": pl.String,
    "late_rank": pl.Int64,
    "late_cause": pl.String,
    "waiting_share": pl.Float64,
}
Waits = dict[str, list[Interval]]  # the intervals in which a rank waits, ns on its own clock, by cause


def aligned_row(row: Row, job: Job, waits: Mapping[int, Waits], specs: Mapping[str, CauseSpec]) -> Row:
    """The columns of a trace that the diagnosis of its job changes. `waits` are what its ranks wait for, by GPU."""
    whole = [{"gpu": gpu, "start_ns": row["window_start_ns"], "end_ns": row["window_end_ns"]} for gpu in waits]
    ledger = _split(row["ledger"], whole, waits, ("gpu",))
    steps = [one | {"end_ns": one["start_ns"] + one["length_ns"]} for one in row["step_totals"]]
    causes = _causes(row, ledger, job, specs)
    verdict = next((cause.cause for cause in causes if cause.is_finding), GPU_BOUND)
    return {
        TRACE_IDENTITY: row[IDENTITY],
        "trace": row["trace"],
        "verdict": verdict,
        "headline": row["headline"] if verdict == row["verdict"] else job.headline,
        "ledger": ledger,
        "step_ledger": _split(row["step_ledger"], steps, waits, ("gpu", "step")),
        "causes": cause_rows(causes),
        "job_verdict": job.verdict,
        "job_headline": job.headline,
        "late_rank": job.late.rank if job.late else None,
        "late_cause": job.late.cause if job.late else None,
        "waiting_share": job.late.share if job.late else None,
    }


def _split(lines: Sequence[Row], spans: Sequence[Row], waits: Mapping[int, Waits], keys: tuple[str, ...]) -> list[Row]:
    """The lines of a ledger, in which the time between ranks is split into waiting and moving data.

    The lost time adds up as before. Bubbles that the trace knows stay, as in the job's ledger: it splits the rest. How many
    segments are in each part is unknown: each has the number of the whole.

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
        (between if line["cause"] in BETWEEN_RANKS and line["gpu"] in waits else result).append(line)
    for pool in _added(between, keys):
        parts = waited.get(tuple(pool[name] for name in keys), {})
        parts = parts | {COMMUNICATION: pool["lost_ns"] - sum(parts.values())}
        result += [pool | {"cause": cause, "lost_ns": ns} for cause, ns in parts.items() if ns]
    return _added(result, (*keys, "cause"))


def _added(lines: Sequence[Row], keys: tuple[str, ...]) -> list[Row]:
    """One line for all those with the same keys: the sums of their numbers."""
    sums: dict[tuple[object, ...], Row] = {}
    for line in lines:
        key = tuple(line[name] for name in keys)
        added = {name: sums[key][name] + line[name] for name in line.keys() - {*keys, "cause"}} if key in sums else {}
        sums[key] = line | added
    return list(sums.values())


def _causes(row: Row, ledger: Sequence[Row], job: Job, specs: Mapping[str, CauseSpec]) -> list[DiagnosedCause]:
    """The causes of a trace in their order, with those that the ranks together tell apart."""
    window_ns = sum(device["window_ns"] for device in row["devices"])
    before = {cause.cause: cause for cause in causes_of(row, specs)}
    designed = by_design(job.pattern, specs)
    causes = [cause for name, cause in before.items() if name not in BETWEEN]
    for cause in BETWEEN:
        lines = [line for line in ledger if line["cause"] == cause]
        lost_ns = sum(line["lost_ns"] for line in lines)
        if not lines:
            continue
        spec, known = specs[cause], before.get(cause)
        of_job = cause == job.verdict
        evidence = job.evidence if of_job else known.evidence if known else []
        causes.append(
            DiagnosedCause(
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
