"""Builds the diagnosis from the views of `sql/5_ledger`."""

from concurrent.futures import ThreadPoolExecutor

from gapfinder.analysis import Analysis
from gapfinder.causes import documented
from gapfinder.diagnosis.evidence import evidence
from gapfinder.diagnosis.headline import headline, next_command
from gapfinder.diagnosis.model import GPU_BOUND, UNEXPLAINED, Cause, Device, Diagnosis, Evidence, Fix, Kernel, Phase, Window
from gapfinder.diagnosis.notes import notes
from gapfinder.diagnosis.ranking import ranked
from gapfinder.diagnosis.units import clean, clean_text
from gapfinder.replay.predict import predict

KERNELS_SHOWN = 8
UNEXPLAINED_MEANING = "nothing in this trace explains it"


def diagnose(analysis: Analysis) -> Diagnosis:
    """The diagnosis of a trace: verdict, ledger, causes with their evidence, phases, kernels and notes."""
    window = _window(analysis)
    with ThreadPoolExecutor(2) as pool:  # DuckDB reads ops and slices while Python replays
        work = pool.submit(lambda: (_phases(analysis), _kernels(analysis)))
        facts = pool.submit(evidence, analysis, window)
        predictions = predict(analysis, window.step_ns)
        phases, kernels = work.result()
        found = ranked(_causes(analysis, facts.result()), predictions, window.step_ns)
    verdict = next((cause.cause for cause in found if cause.worth), GPU_BOUND)
    devices = _devices(analysis)
    return Diagnosis(
        trace=str(analysis.path),
        verdict=verdict,
        headline=headline(verdict, found, devices, window, kernels),
        window=window,
        devices=devices,
        causes=found,
        fixes=[Fix(cause, step_ns) for cause, step_ns in predictions.fixes],
        floor_step_ns=predictions.floor_ns,
        unprofiled_step_ns=predictions.unprofiled_ns,
        phases=phases,
        kernels=kernels[:KERNELS_SHOWN],
        next_command=next_command(verdict, kernels),
        replay_error=predictions.error,
        notes=notes(analysis, found, predictions, window.step_ns),
    )


def _causes(analysis: Analysis, facts: dict[str, list[Evidence]]) -> list[Cause]:
    docs = documented()
    return [
        Cause(
            cause=row["cause"],
            meaning=docs[row["cause"]].meaning if row["cause"] in docs else UNEXPLAINED_MEANING,
            lost_ns=row["lost_ns"],
            share=row["share"],
            count=row["slices"],
            worth=row["worth"],
            fix=_fix(analysis, row["cause"]),
            evidence=facts.get(row["cause"], []),
        )
        for row in analysis.rows("SELECT * FROM findings")
    ]


def _fix(analysis: Analysis, cause: str) -> str | None:
    rows = analysis.rows(f"SELECT * FROM fix_{cause}") if cause != UNEXPLAINED else []
    return clean_text(rows[0]["fix"]) if rows and rows[0]["fix"] else None


def _window(analysis: Analysis) -> Window:
    row = analysis.rows('SELECT * FROM "window"')[0]
    return Window(
        row["start_ns"],
        row["end_ns"],
        row["steps"],
        row["step_ns"],
        row["source"],
        row["step_name"],
        row["excluded_steps"],
    )


def _phases(analysis: Analysis) -> list[Phase]:
    return [
        Phase(clean(row["phase"]), row["ops"], row["gpu_ns"], row["lost_ns"]) for row in analysis.rows("SELECT * FROM phases")
    ]


def _kernels(analysis: Analysis) -> list[Kernel]:
    return [
        Kernel(clean(row["name"]), row["times"], row["gpu_ns"], row["mean_ns"])
        for row in analysis.rows("SELECT * FROM top_kernels")
    ]


def _devices(analysis: Analysis) -> list[Device]:
    lost: dict[int, dict[str, int]] = {}
    for row in analysis.rows("SELECT * FROM ledger"):
        lost.setdefault(row["gpu"], {})[row["cause"]] = row["lost_ns"]
    return [
        Device(row["gpu"], row["name"], row["window_ns"], row["compute_ns"], lost.get(row["gpu"], {}))
        for row in analysis.rows("SELECT * FROM devices")
    ]
