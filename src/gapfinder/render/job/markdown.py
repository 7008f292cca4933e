"""The diagnosis of a job as Markdown, for an issue or a pull request."""

from gapfinder.diagnosis.job import Job
from gapfinder.job import words
from gapfinder.render.markdown import escape, gates, table
from gapfinder.units import duration, percent


def render(job: Job, *, width: int, color: bool) -> str:  # noqa: ARG001  part of the protocol
    """The diagnosis as Markdown."""
    lines = [f"## {escape(job.headline)}", "", escape(words.subject(job))]
    if job.why_first:
        lines += ["", escape(job.why_first)]
    lines += [*details(job), *ranks(job)]
    shares = [("compute", job.compute_share), *((cause.cause, cause.share) for cause in job.causes), ("window", 1.0)]
    rows = [(escape(name), duration(share * job.step_ns), percent(share)) for name, share in shares]
    lines += ["", *table(("mean of the ranks", words.per_step(job), "share"), rows)]
    if job.notes:
        lines += ["", "What these traces cannot tell:", "", *(f"- {escape(note)}" for note in job.notes)]
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
    rows = [
        (escape(words.name(rank)), percent(rank.compute_share), escape(words.losses(rank, job.step_ns))) for rank in job.ranks
    ]
    lines += ["", *table(("rank", "computes", f"loses most to, {words.per_step(job)}"), rows)]
    collectives = [tuple(escape(cell) for cell in words.transfer(transfer)) for transfer in job.transfers]
    lines += ["", *table(("collective", "size", "times", "data moves", "bus", "of the best"), collectives)]
    lines += ["", *(escape(text) for text in (words.streams(job), words.alignment(job)) if text)]
    return lines
