"""The diagnosis of a job as Markdown, for an issue or a pull request."""

from gapfinder.diagnosis import tables
from gapfinder.diagnosis.job import Job
from gapfinder.display import Table
from gapfinder.job import words
from gapfinder.render.markdown import escape, gates, items, shown
from gapfinder.units import percent


def render(job: Job, *, width: int, color: bool) -> str:  # noqa: ARG001  part of the protocol
    """The diagnosis as Markdown."""
    lines = [f"## {escape(job.headline)}", "", escape(words.subject(job))]
    if job.why_first:
        lines += ["", escape(job.why_first)]
    lines += [*details(job), *ranks(job)]
    lines += shown(
        Table(("mean of the ranks", words.per_step(job), "share"), tables.ledger(job.compute_share, job.causes, job.step_ns))
    )
    lines += items("What these traces cannot tell:", job.notes)
    return "\n".join([*lines, *gates(job.gates)]) + "\n"


def details(job: Job) -> list[str]:
    """The fix, the prediction and the evidence."""
    lines = []
    if job.fix:
        lines += ["", f"**Fix:** {escape(job.fix)}"]
    if prediction := words.prediction(job):
        lines += ["", escape(f"{prediction[0].upper()}{prediction[1:]}.")]
    return [*lines, "", *(f"- {escape(fact.text)}" for fact in job.evidence)]


def ranks(job: Job) -> list[str]:
    """Whether it is always the same rank, the ranks, the collectives, and how well the clocks were aligned."""
    lines = []
    if late := words.late(job):
        lines += ["", escape(late)]
    rows = [(words.name(rank), percent(rank.compute_share), words.losses(rank, job.step_ns)) for rank in job.ranks]
    lines += shown(Table(("rank", "computes", f"loses most to, {words.per_step(job)}"), rows))
    lines += shown(words.transfers(job))
    lines += ["", *(escape(text) for text in (words.streams(job), words.alignment(job)) if text)]
    return lines
