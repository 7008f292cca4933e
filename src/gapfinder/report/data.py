"""All that a report shows, as one JSON object: the page reads nothing else."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from gapfinder import __version__
from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.diagnosis.ranking import order_of_fixes
from gapfinder.render.diagnosis import renderer
from gapfinder.report.job import across
from gapfinder.report.palette import theme
from gapfinder.report.paths import shortened
from gapfinder.report.steps import step_ledgers
from gapfinder.report.timeline import timelines
from gapfinder.trace import Trace
from gapfinder.units import clean

SCHEMA = "gapfinder.page/1"


def report_data(trace: Trace, diagnosis: Diagnosis) -> dict[str, Any]:
    """The diagnosis as `--format json` has it, the job of its ranks, the ledger of each step, and the timelines that are shown.

    All times in ns; those of timelines count from the start of their step.
    """
    causes = [cause.cause for cause in diagnosis.causes]
    if diagnosis.job:
        causes += [cause.cause for cause in diagnosis.job.causes]
    return {
        "schema": SCHEMA,
        "version": __version__,
        "theme": theme(causes),
        "trace": clean(Path(diagnosis.trace).name),
        "diagnosis": _with_short_paths(as_json(replace(diagnosis, job=None))),
        "job": across(diagnosis.job) if diagnosis.job else None,
        "order_of_fixes": order_of_fixes(diagnosis),
        "steps": step_ledgers(trace, diagnosis),
        **timelines(trace),
    }


def as_json(diagnosis: Diagnosis) -> dict[str, Any]:
    """The object that `gapfinder diagnose --format json` prints."""
    document: dict[str, Any] = json.loads(renderer("json").render(diagnosis, width=0, color=False))
    return document


def _with_short_paths(document: dict[str, Any]) -> dict[str, Any]:
    for cause in document["causes"]:
        for fact in cause["evidence"]:
            if line := fact.get("source_line"):
                fact.update({key: shortened(fact[key], [line]) for key in ("source_line", "text")})
    return document
