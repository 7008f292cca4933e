"""The ranks and the diagnosis of a trace, made again from its row in the folder of a fleet."""

from collections.abc import Mapping

from gapfinder.diagnosis.cause import DiagnosedCause, Evidence, Verdict
from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.diagnosis.measured import KernelRuns
from gapfinder.diagnosis.window import ONE_PIECE, DiagnosedWindow
from gapfinder.fleet.row import Row
from gapfinder.job.rank import Collective, Rank
from gapfinder.pipeline.cause_spec import CauseSpec


def ranks_of(row: Row, numbers: Mapping[int, int], specs: Mapping[str, CauseSpec]) -> list[Rank]:
    """The ranks of a trace, as `job.extract` makes them, without what a replay needs."""
    diagnosis = _diagnosis(row, specs)
    steps = sorted({(step["start_ns"], step["start_ns"] + step["length_ns"], step["step"]) for step in row["step_totals"]})
    return [
        Rank(
            number=numbers[gpu["gpu"]],
            trace=row["trace"],
            gpu=gpu["gpu"],
            gpu_name=gpu["gpu_name"],
            started_ns=gpu["started_ns"],
            has_steps=not diagnosis.window.is_one,
            diagnosis=diagnosis,
            collectives=[
                Collective(**{name: one[name] for name in Collective._fields})
                for one in row["rank_collectives"]
                if one["gpu"] == gpu["gpu"]
            ],
            steps=[(start_ns, end_ns) for start_ns, end_ns, _ in steps],
            step_numbers=[number for *_, number in steps],
            kernels={
                one["name"]: KernelRuns(one["times"], one["gpu_ns"]) for one in row["rank_kernels"] if one["gpu"] == gpu["gpu"]
            },
            shares_stream=gpu["shares_stream"],
            timeline=None,
            changes={},
            losses={},
        )
        for gpu in row["rank_gpus"]
    ]


def _diagnosis(row: Row, specs: Mapping[str, CauseSpec]) -> Diagnosis:
    """The diagnosis of a trace, as far as that of its job needs it."""
    window_ns = row["devices"][0]["window_ns"]
    return Diagnosis(
        trace=row["trace"],
        verdict=Verdict(row["verdict"], row["headline"]),
        window=DiagnosedWindow(
            start_ns=row["window_start_ns"],
            end_ns=row["window_end_ns"],
            length_ns=window_ns,
            source=row["step_source"],
            regime="steps",
            unit="window" if row["step_source"] in ONE_PIECE and row["step_ns"] == window_ns else "step",
            **{name: row[name] for name in ("steps", "step_ns", "step_name", "excluded_steps")},
        ),
        devices=[],
        causes=causes_of(row, specs),
        replay_error=row["replay_error"],
    )


def causes_of(row: Row, specs: Mapping[str, CauseSpec]) -> list[DiagnosedCause]:
    """The causes of a trace, in their order. Of the evidence, the folder keeps the texts."""
    gpus = [device["gpu"] for device in row["devices"]]
    return [
        DiagnosedCause(
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
                    source_line=one["source_line"] if one["source_line"] and text.startswith(one["source_line"]) else None,
                    nvtx=one["nvtx"] if one["nvtx"] and one["nvtx"] in text else None,
                    gpu=next((gpu for gpu in gpus if text.startswith((f"GPU {gpu}, ", f"GPU {gpu} "))), None),
                )
                for text in one["evidence"]
            ],
            predicted_step_ns=one["predicted_step_ns"],
        )
        for one in row["causes"]
    ]
