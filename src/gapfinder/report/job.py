"""The page of a job, and the part about ranks on the page of a trace that has several."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from shlex import quote
from typing import Any

from gapfinder.diagnosis.job import RANK_IMBALANCE, Job
from gapfinder.job import words
from gapfinder.pipeline.cause_spec import USUAL_SHARE
from gapfinder.report.page import page, sentence, shorten_paths
from gapfinder.report.palette import theme
from gapfinder.report.part import Part
from gapfinder.report.timeline import timeline
from gapfinder.resources import __version__
from gapfinder.units import clean, percent

SCHEMA = "gapfinder.job_page/1"
SUGGESTED = 4  # traces for which a report is suggested if no rank is late
CAUSE_FIELDS = ("cause", "share", "is_finding", "by_design", "predicted_step_ns")


def page_of(job: Job, parts: Sequence[Part] = ()) -> str:
    """The page as HTML. Its timeline has these parts."""
    data = job_data(job, parts)
    return page(f"{data['job']['verdict']['headline']} {words.subject(job)}", data, "job.js")


def job_data(job: Job, parts: Sequence[Part] = ()) -> dict[str, Any]:
    """The data of the page, as one JSON object."""
    late = [rank.trace for rank in job.ranks if job.late and rank.rank == job.late.rank]
    names = [clean(Path(trace).name) for trace in late or job.traces[:SUGGESTED]]
    return {
        "schema": SCHEMA,
        "version": __version__,
        "theme": theme(cause.cause for cause in job.causes),
        "job": ranks_data(job),
        "commands": [f"gapfinder report {quote(name)} -o {quote(Path(name).stem)}.html" for name in names],
        "notes": job.notes,
        "timeline": timeline(parts, job.arrivals) if parts else None,
    }


def ranks_data(job: Job) -> dict[str, Any]:
    """The data of the ranks together. Times are in ns, shares 0 to 1. Most sentences are those of the text format."""
    compute = {"cause": "compute", "share": job.compute_share}
    cause = job.late.cause if job.late and job.verdict == RANK_IMBALANCE else job.verdict
    lines = {fact.source_line for fact in job.evidence if fact.source_line}
    return {
        "verdict": {"cause": cause, "headline": shorten_paths(job.headline, lines)},
        "why_first": job.why_first,
        "subject": words.subject(job),
        "late": words.always(job.late)
        if job.late
        else f"No rank is late: waiting for one is below {percent(USUAL_SHARE)} of a step.",
        "charges": [asdict(charge) for charge in job.late.charges] if job.late else [],
        "waits": [asdict(wait) for wait in job.waits],
        "fix": job.fix,
        "prediction": sentence(words.prediction(job)),
        "evidence": [
            {
                "text": shorten_paths(fact.text, lines),
                "line": fact.source_line and shorten_paths(fact.source_line, lines),
                "start_ns": fact.start_ns,
                "end_ns": fact.end_ns,
                "rank": fact.rank,
            }
            for fact in job.evidence
        ],
        "unit": "step" if job.has_steps else "window",
        "per_unit": words.per_step(job),
        "step_ns": job.step_ns,
        "steps": job.steps,
        "step_numbers": job.step_numbers,
        "causes": [compute, *({key: getattr(cause, key) for key in CAUSE_FIELDS} for cause in job.causes)],
        "ranks": [
            {"rank": rank.rank, "name": words.name(rank), "ns": {"compute": rank.compute_ns, **rank.causes}} for rank in job.ranks
        ],
        "collectives": [words.transfer(transfer) for transfer in job.transfers],
        "streams": words.streams(job),
        "alignment": words.alignment(job),
        "offsets_ns": job.alignment.offsets_ns,
    }
