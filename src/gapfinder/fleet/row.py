"""The row of a trace in the folder of a fleet. Its lists hold the ledger, the steps and the causes of the trace."""

from collections.abc import Sequence
from io import BytesIO
from typing import Any

import polars as pl

from gapfinder.diagnosis.cause import DiagnosedCause
from gapfinder.job.in_trace import diagnose_trace
from gapfinder.trace import OpenTrace

Row = dict[str, Any]


def _list_of(**columns: Any) -> pl.List:
    return pl.List(pl.Struct(columns))


# What aligns the ranks of a job, of traces in which something communicates: rows of the views of sql/views/ranks.
RANKS: dict[str, Any] = {
    "rank_gpus": _list_of(gpu=pl.Int64, gpu_name=pl.String, started_ns=pl.Int64, shares_stream=pl.Boolean),
    "rank_collectives": _list_of(
        gpu=pl.Int64,
        activity_id=pl.Int64,
        start_ns=pl.Int64,
        end_ns=pl.Int64,
        stream=pl.Int64,
        kind=pl.String,
        communicator=pl.String,
        bytes=pl.Int64,
        peer=pl.Int64,
        in_window=pl.Boolean,
    ),
    "rank_stretches": _list_of(gpu=pl.Int64, start_ns=pl.Int64, until_ns=pl.Int64),
    "rank_losses": _list_of(
        gpu=pl.Int64,
        until_ns=pl.Int64,
        cause=pl.String,
        activity_id=pl.Int64,
        start_ns=pl.Int64,
        end_ns=pl.Int64,
        lost_ns=pl.Int64,
    ),
    "rank_breaks": _list_of(gpu=pl.Int64, start_ns=pl.Int64, end_ns=pl.Int64),
    "rank_kernels": _list_of(gpu=pl.Int64, name=pl.String, times=pl.Int64, gpu_ns=pl.Int64),
}
# Times are in ns. A list has the columns of the view of the same name in sql/. If a trace could not be read, `error` says why and
# the columns after it are NULL.
COLUMNS: dict[str, Any] = {
    "trace": pl.String,
    "identity": pl.String,
    "size_bytes": pl.Int64,
    "error": pl.String,
    "started_utc_ns": pl.Int64,
    "window_start_ns": pl.Int64,
    "window_end_ns": pl.Int64,
    "steps": pl.Int64,
    "step_ns": pl.Float64,
    "step_source": pl.String,
    "step_name": pl.String,
    "excluded_steps": pl.Int64,
    "verdict": pl.String,
    "headline": pl.String,
    "replay_error": pl.Float64,
    "damage": pl.List(pl.String),
    "devices": _list_of(gpu=pl.Int64, name=pl.String, window_ns=pl.Int64, compute_ns=pl.Int64),
    "ledger": _list_of(
        gpu=pl.Int64, cause=pl.String, lost_ns=pl.Int64, segments=pl.Int64, named_ns=pl.Int64, inferred_ns=pl.Int64
    ),
    "step_totals": _list_of(step=pl.Int64, gpu=pl.Int64, start_ns=pl.Int64, length_ns=pl.Int64, compute_ns=pl.Int64),
    "step_ledger": _list_of(step=pl.Int64, gpu=pl.Int64, cause=pl.String, lost_ns=pl.Int64),
    "causes": _list_of(
        place=pl.Int64,
        cause=pl.String,
        lost_ns=pl.Int64,
        share=pl.Float64,
        segments=pl.Int64,
        is_finding=pl.Boolean,
        predicted_step_ns=pl.Int64,
        fix=pl.String,
        source_line=pl.String,
        nvtx=pl.String,
        evidence=pl.List(pl.String),
    ),
    **RANKS,
}


def row_of(trace: OpenTrace) -> Row:
    """Diagnose a trace; returns the columns from `started_utc_ns` on."""
    diagnosis = diagnose_trace(trace)
    window = diagnosis.window
    return {
        "started_utc_ns": min((row["started_ns"] for row in trace.id_rows("SELECT * FROM sessions")), default=None),
        "window_start_ns": window.start_ns,
        "window_end_ns": window.end_ns,
        "steps": window.steps,
        "step_ns": window.step_ns,
        "step_source": window.source,
        "step_name": window.step_name,
        "excluded_steps": window.excluded_steps,
        "verdict": diagnosis.verdict,
        "headline": diagnosis.headline,
        "replay_error": diagnosis.replay_error,
        "damage": diagnosis.damage,
        **{name: _rows(trace, name) for name in ("devices", "step_totals", "ledger", "step_ledger")},
        "causes": cause_rows(diagnosis.causes),
        **_ranks(trace),
    }


def as_parquet(row: Row) -> bytes:
    """The content of a Parquet file with this one row; missing columns are NULL."""
    file = BytesIO()
    pl.DataFrame([row], schema=COLUMNS).write_parquet(file)
    return file.getvalue()


def _rows(trace: OpenTrace, view: str) -> list[Row]:
    names = _columns(view)
    return [{name: row[name] for name in names} for row in trace.rows(f"SELECT * FROM {view}")]


def cause_rows(causes: Sequence[DiagnosedCause]) -> list[Row]:
    """The column `causes` in their order."""
    return [_cause(place, cause) for place, cause in enumerate(causes, 1)]


def _ranks(trace: OpenTrace) -> Row:
    gpus = trace.id_rows("SELECT * FROM rank_gpus")
    if not gpus:
        return {}
    shared = {row["gpu"] for row in trace.id_rows("SELECT * FROM rank_shared_streams")}
    views = {name: trace.id_rows(f"SELECT * FROM {name}") for name in RANKS if name != "rank_gpus"}
    rows = {name: [{column: row[column] for column in _columns(name)} for row in views[name]] for name in views}
    names = ("gpu", "gpu_name", "started_ns")
    return rows | {"rank_gpus": [{key: row[key] for key in names} | {"shares_stream": row["gpu"] in shared} for row in gpus]}


def _columns(view: str) -> list[str]:
    return [field.name for field in COLUMNS[view].inner.fields]


def _cause(place: int, cause: DiagnosedCause) -> Row:
    def first(name: str) -> str | None:
        return next((value for fact in cause.evidence if (value := getattr(fact, name))), None)

    return {
        "place": place,
        "cause": cause.cause,
        "lost_ns": cause.lost_ns,
        "share": cause.share,
        "segments": cause.count,
        "is_finding": cause.is_finding,
        "predicted_step_ns": cause.predicted_step_ns,
        "fix": cause.fix,
        "source_line": first("source_line"),
        "nvtx": first("nvtx"),
        "evidence": [fact.text for fact in cause.evidence],
    }
