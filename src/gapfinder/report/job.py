"""The page of a job, and what it says of the ranks on the page of a trace with several."""

from dataclasses import asdict
from pathlib import Path
from shlex import quote
from typing import Any

from gapfinder.diagnosis.job import RANK_IMBALANCE, Job
from gapfinder.job import words
from gapfinder.pipeline.causes import USUAL_SHARE
from gapfinder.report.page import page, shortened
from gapfinder.report.palette import theme
from gapfinder.resources import __version__
from gapfinder.units import clean, percent

SCHEMA = "gapfinder.job_page/1"
NAMED = 4  # traces whose own page is mentioned where no rank stands out
OF_A_CAUSE = ("cause", "share", "is_finding", "by_design", "predicted_step_ns")


def page_of(job: Job) -> str:
    """The whole page."""
    return page(f"{words.subject(job)}: {job.verdict}", job_data(job), "job.js")


def job_data(job: Job) -> dict[str, Any]:
    """All that the page shows, as one JSON object."""
    late = [rank.trace for rank in job.ranks if job.late and rank.rank == job.late.rank]
    names = [clean(Path(trace).name) for trace in late or job.traces[:NAMED]]
    return {
        "schema": SCHEMA,
        "version": __version__,
        "theme": theme(cause.cause for cause in job.causes),
        "job": across(job),
        "commands": [f"gapfinder report {quote(name)} -o {quote(Path(name).stem)}.html" for name in names],
        "notes": job.notes,
    }


def across(job: Job) -> dict[str, Any]:
    """What is said of the ranks together. Times in ns, shares 0 to 1; what text says in words is said in the same words here."""
    window_ns = sum(rank.window_ns for rank in job.ranks)
    compute = {"cause": "compute", "share": sum(rank.compute_ns for rank in job.ranks) / window_ns}
    prediction = words.prediction(job)
    named = job.late.cause if job.late and job.verdict == RANK_IMBALANCE else job.verdict
    lines = {fact.source_line for fact in job.evidence if fact.source_line}
    return {
        "verdict": {"cause": named, "headline": shortened(job.headline, lines)},
        "subject": words.subject(job),
        "late": words.always(job.late)
        if job.late
        else f"No rank is late: waiting for one is below {percent(USUAL_SHARE)} of a step.",
        "charges": [asdict(charge) for charge in job.late.charges] if job.late else [],
        "waits": [asdict(wait) for wait in job.waits],
        "fix": job.fix,
        "prediction": prediction and f"{prediction[0].upper()}{prediction[1:]}.",
        "evidence": [
            {"text": shortened(fact.text, lines), "line": fact.source_line and shortened(fact.source_line, lines)}
            for fact in job.evidence
        ],
        "step_ns": job.step_ns,
        "steps": job.steps,
        "causes": [compute, *({key: getattr(cause, key) for key in OF_A_CAUSE} for cause in job.causes)],
        "ranks": [
            {"rank": rank.rank, "name": words.name(rank), "ns": {"compute": rank.compute_ns, **rank.causes}} for rank in job.ranks
        ],
        "collectives": [words.transfer(one) for one in job.transfers],
        "streams": words.streams(job),
        "alignment": words.alignment(job),
        "offsets_ns": job.alignment.offsets_ns,
    }
