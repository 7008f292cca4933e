"""The page of a trace: its diagnosis, the ledger of each step, and the timeline of all that was recorded."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from gapfinder.diagnosis import metrics, words
from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.diagnosis.document import document
from gapfinder.diagnosis.ranking import order_of_fixes
from gapfinder.diagnosis.requests import sentences
from gapfinder.diagnosis.window import subject
from gapfinder.report.job import ranks_data
from gapfinder.report.page import page, sentence, shorten_paths
from gapfinder.report.palette import theme
from gapfinder.report.part import part_of
from gapfinder.report.timeline import timeline
from gapfinder.resources import __version__
from gapfinder.trace import OpenTrace
from gapfinder.units import clean

SCHEMA = "gapfinder.page/1"


def page_of(trace: OpenTrace, diagnosis: Diagnosis) -> str:
    """The page as HTML."""
    data = report_data(trace, diagnosis)
    return page(f"{data['diagnosis']['verdict']['headline']} {clean(Path(diagnosis.trace).name)}", data, "report.js")


def report_data(trace: OpenTrace, diagnosis: Diagnosis) -> dict[str, Any]:
    """The data of the page: the diagnosis as in `--format json`, the job of its ranks, the ledger of each step, and timelines.

    Times are in ns. Those of the timeline count from its start.
    """
    causes = [cause.cause for cause in diagnosis.causes]
    if diagnosis.job:
        causes += [cause.cause for cause in diagnosis.job.causes]
    job = diagnosis.job
    ranks = {rank.gpu: rank.rank for rank in job.ranks} if job else None
    return {
        "schema": SCHEMA,
        "version": __version__,
        "theme": theme(causes, trace.config.causes),
        "subject": subject(diagnosis.trace, (device.name for device in diagnosis.devices), diagnosis.window),
        "unit": diagnosis.window.unit,
        "a_unit": diagnosis.window.a_unit,
        "diagnosis": _with_short_paths(document(replace(diagnosis, job=None)), _lines(diagnosis)),
        "job": ranks_data(diagnosis.job) if diagnosis.job else None,
        "requests": [*sentences(diagnosis.requests, diagnosis.tokens, diagnosis.causes, diagnosis.window)],
        "metrics": [*metrics.sentences(diagnosis.metrics)],
        "predictions": {cause.cause: sentence(words.prediction(cause, diagnosis)) for cause in diagnosis.causes},
        "order_of_fixes": asdict(order) if (order := order_of_fixes(diagnosis)) else None,
        "steps": step_ledgers(trace, diagnosis),
        "timeline": timeline([part_of(trace, ranks=ranks)], job.arrivals if job else ()),
    }


def _with_short_paths(document: dict[str, Any], lines: Collection[str]) -> dict[str, Any]:
    """The diagnosis as JSON, with the paths of these source lines shortened in its sentences and facts."""
    for cause in document["causes"]:
        for fact in cause["evidence"]:
            fact.update({key: shorten_paths(fact[key], lines) for key in ("source_line", "text") if fact.get(key)})
    document["verdict"]["headline"] = shorten_paths(document["verdict"]["headline"], lines)
    document["why_first"] = document["why_first"] and shorten_paths(document["why_first"], lines)
    return document


def _lines(diagnosis: Diagnosis) -> list[str]:
    """All source lines that it names, in an order that is always the same."""
    facts = [fact for cause in diagnosis.causes for fact in cause.evidence]
    facts += diagnosis.job.evidence if diagnosis.job else []
    return sorted({fact.source_line for fact in facts if fact.source_line})


def step_ledgers(trace: OpenTrace, diagnosis: Diagnosis) -> dict[str, Any]:
    """Lists with one entry for each step: `number`, `start_ns`, `length_ns`; for each GPU `compute_ns`, and `lost_ns` by cause.

    Without steps, the whole window is one entry. In a window of times, the time outside of all steps is left out.
    """
    steps = trace.rows("SELECT * FROM page_steps")
    index = {row["step"]: number for number, row in enumerate(steps)}
    if not trace.rows("SELECT 1 FROM window_steps LIMIT 1"):
        gpus = [_whole_window(device.gpu, device.compute_ns, device.causes) for device in diagnosis.devices]
    else:
        lost: dict[int, dict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0] * len(steps)))
        for row in trace.rows("SELECT * FROM step_ledger"):
            lost[row["gpu"]][row["cause"]][index[row["step"]]] = row["lost_ns"]
        compute: dict[int, list[int]] = defaultdict(lambda: [0] * len(steps))
        for row in trace.rows("SELECT * FROM step_totals"):
            compute[row["gpu"]][index[row["step"]]] = row["compute_ns"]
        gpus = [{"gpu": gpu, "compute_ns": compute[gpu], "lost_ns": lost[gpu]} for gpu in sorted(compute)]
    return {
        "number": [row["step"] for row in steps],
        "start_ns": [row["start_ns"] for row in steps],
        "length_ns": [row["end_ns"] - row["start_ns"] for row in steps],
        "gpus": gpus,
    }


def _whole_window(gpu: int, compute_ns: int, causes: dict[str, int]) -> dict[str, Any]:
    return {"gpu": gpu, "compute_ns": [compute_ns], "lost_ns": {cause: [lost_ns] for cause, lost_ns in causes.items()}}
