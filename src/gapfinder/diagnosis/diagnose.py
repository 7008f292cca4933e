"""Builds the diagnosis from the relations of a trace."""

from dataclasses import replace
from itertools import pairwise

from gapfinder.diagnosis.cause import GPU_BOUND, DiagnosedCause, Fix, Verdict
from gapfinder.diagnosis.damage import Damage
from gapfinder.diagnosis.device import Device
from gapfinder.diagnosis.diagnosis import Diagnosis, Kernel, Phase
from gapfinder.diagnosis.evidence import evidence
from gapfinder.diagnosis.headline import headline, next_command
from gapfinder.diagnosis.metrics import metrics_of
from gapfinder.diagnosis.notes import notes, rank_notes, start_up_notes
from gapfinder.diagnosis.ranking import designed, ranked
from gapfinder.diagnosis.reasons import loser, why_first, why_gain, with_tracing
from gapfinder.diagnosis.regimes import regimes_of, shares
from gapfinder.diagnosis.requests import requests_of, tokens_of
from gapfinder.diagnosis.window import window_of
from gapfinder.pipeline.cause_spec import CauseSpec
from gapfinder.replay.predict import predict
from gapfinder.replay.timeline import Timeline
from gapfinder.system.timings import timed
from gapfinder.system.workers import workers
from gapfinder.trace import OpenTrace
from gapfinder.units import clean, clean_text

KERNELS_SHOWN = 8
# layers and relations that a diagnosis reads
READ = (
    "50_ledger", "51_breakdowns", "52_evidence", "55_damage", "60_replay", "damaged_rows", "cut_texts", "import_errors",
    "missing_rows", "misnamed_kinds", "unlisted_kinds",
)  # fmt: skip


def diagnose(trace: OpenTrace) -> Diagnosis:
    """The diagnosis of a trace: verdict, ledger, causes with their evidence, phases, kernels and notes."""
    trace.prepare(*READ)
    window = window_of(trace)
    timeline = Timeline.of(trace)  # first, because the replay takes the longest
    with workers(4) as pool:  # DuckDB answers queries while Python replays
        gpu_work_job = pool.submit(lambda: (_phases(trace), _kernels(trace)))
        evidence_job = pool.submit(evidence, trace, window)
        causes_job = pool.submit(_causes, trace)
        damage_job = pool.submit(Damage.of, trace)
        with timed("replay", "what-ifs"):
            predictions = predict(trace, timeline, window.step_ns)
        phases, kernels = gpu_work_job.result()
        damage = damage_job.result()
        evidence_of = evidence_job.result()
        causes = [replace(cause, evidence=evidence_of.get(cause.cause, [])) for cause in causes_job.result()]
    causes = ranked(causes, predictions, window.step_ns, trace.config.causes)
    then = dict.fromkeys((cause.cause for cause in causes), predictions.held_by)
    then |= {cause: next_cause for (cause, _), (next_cause, _) in pairwise(predictions.fixes[:2])}
    devices = _devices(trace)
    causes = [
        replace(cause, why_gain=why_gain(cause, window.step_ns, then[cause.cause], loser(cause.cause, devices)))
        for cause in causes
    ]
    verdict = next((cause.cause for cause in causes if cause.is_finding), GPU_BOUND)
    sharing, slowed = 1, 0
    if verdict == GPU_BOUND:
        damage.check_bound(trace.path)
        [(sharing, slowed)] = trace.tuples(
            "SELECT coalesce(max(processes), 1), coalesce(max(share), 0) FROM shared_gpus LEFT JOIN slowed_gpus USING (gpu)"
        )
    by_design = designed(trace.config.causes)
    reasons = (
        why_first(causes, window.step_ns, window.unit, by_design, predictions),
        with_tracing(causes, window.step_ns, window.unit, by_design, predictions.traced),
    )
    requests = requests_of(trace)
    of_one_rank = rank_notes(trace, predictions, window, requests)
    regimes = regimes_of(trace)
    sentence = headline(verdict, causes, devices, window, kernels, requests, sharing, slowed) + shares(regimes, window.source)
    return Diagnosis(
        trace=str(trace.path),
        verdict=Verdict(verdict, sentence),
        window=window,
        devices=devices,
        causes=causes,
        fixes=[Fix(cause, step_ns) for cause, step_ns in predictions.fixes],
        floor_step_ns=predictions.floor_ns,
        unprofiled_step_ns=predictions.unprofiled_ns,
        phases=phases,
        kernels=kernels[:KERNELS_SHOWN],
        next_command=next_command(verdict, kernels) if sharing == 1 else None,
        replay_error=predictions.error,
        notes=[*start_up_notes(regimes, window), *notes(trace, causes, damage), *of_one_rank],
        regimes=regimes,
        damage=damage.sentences,
        doubt=damage.doubt,
        rank_notes=of_one_rank,
        metrics=metrics_of(trace),
        why_first=" ".join(filter(None, reasons)) or None,
        requests=requests,
        tokens=tokens_of(trace, window),
    )


def _causes(trace: OpenTrace) -> list[DiagnosedCause]:
    """The lost time of each cause, without its evidence."""
    return [
        DiagnosedCause(
            cause=row["cause"],
            meaning=trace.config.causes[row["cause"]].meaning,
            lost_ns=row["lost_ns"],
            share=row["share"],
            count=row["segments"],
            is_finding=False,  # `ranked` decides
            fix=_fix(trace, trace.config.causes[row["cause"]]),
        )
        for row in trace.id_rows("SELECT * FROM cause_totals")
    ]


def _fix(trace: OpenTrace, spec: CauseSpec) -> str | None:
    """What to change in this trace's program; if the cause's rule has no advice for it, what usually helps."""
    rows = trace.tuples(f"SELECT fix FROM fix_{spec.cause}") if spec.has("fix") else []
    return clean_text((rows[0][0] if rows else None) or spec.usual_fix) or None


def _phases(trace: OpenTrace) -> list[Phase]:
    return [
        Phase(clean(row["phase"]), row["activities"], row["gpu_ns"], row["lost_ns"])
        for row in trace.id_rows("SELECT * FROM phases")
    ]


def _kernels(trace: OpenTrace) -> list[Kernel]:
    return [
        Kernel(clean(row["name"]), row["kind"], row["times"], row["gpu_ns"], row["mean_ns"])
        for row in trace.id_rows("SELECT * FROM top_kernels")
    ]


def _devices(trace: OpenTrace) -> list[Device]:
    lost: dict[int, dict[str, int]] = {}
    for row in trace.id_rows("SELECT * FROM ledger"):
        lost.setdefault(row["gpu"], {})[row["cause"]] = row["lost_ns"]
    return [
        Device(row["gpu"], row["name"], row["window_ns"], row["compute_ns"], lost.get(row["gpu"], {}))
        for row in trace.id_rows("SELECT * FROM devices")
    ]
