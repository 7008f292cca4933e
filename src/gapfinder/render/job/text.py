"""The diagnosis of a job for a terminal: one screen of 80 columns; plain text in a pipe."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from gapfinder.diagnosis import tables
from gapfinder.diagnosis.cause import GPU_BOUND
from gapfinder.diagnosis.job import RANK_IMBALANCE, Job
from gapfinder.job import words
from gapfinder.render.terminal import as_html, gates, item, items, shown, table, to_text

RANKS_SHOWN = 16  # if there are more, those that wait least and most


def render(job: Job, *, width: int, color: bool) -> str:
    """The diagnosis as text of at most `width` columns."""
    return to_text(_parts(job), width=width, color=color)


def html(job: Job) -> str:
    """The job as HTML for a notebook."""
    return as_html(_parts(job))


def _parts(job: Job) -> Iterator[RenderableType]:
    yield Text(words.subject(job), style="dim")
    yield ""
    yield Text(job.headline, style="bold green" if job.verdict == GPU_BOUND else "bold red")
    if job.why_first:
        yield Text(job.why_first)
    yield from details(job)
    yield ""
    yield _causes(job)
    yield ""
    yield from rank_tables(job)
    yield from items("What these traces cannot tell", job.notes)
    yield from gates(job.gates)


def details(job: Job) -> Iterator[RenderableType]:
    """The fix, the prediction and the evidence."""
    if late := words.late(job):
        yield Text(late)
    if job.fix or words.prediction(job) or job.evidence:
        yield ""
    if job.fix:
        yield item(job.fix, mark="> ", style="green")
    if prediction := words.prediction(job):
        yield item(prediction, mark="> ", style="green")
    for fact in job.evidence:
        yield item(fact.text)


def rank_tables(job: Job) -> Iterator[RenderableType]:
    """The ranks, the collectives, and how well the clocks were aligned."""
    yield from _ranks(job)
    yield ""
    yield shown(words.transfers(job))
    if streams := words.streams(job):
        yield Text(streams)
    yield Text(words.alignment(job))


def _causes(job: Job) -> Table:
    ledger = table("Ledger, mean of the ranks", (words.per_step(job), "right"), ("share", "right"))
    *rows, whole = tables.ledger(job.compute_share, job.causes, job.step_ns)
    designed = {cause.cause for cause in job.causes if cause.by_design}
    for name, time, percentage in rows:
        ledger.add_row(Text(f"{name}, by design" if name in designed else name), time, percentage)
    ledger.add_row(Text(whole[0], style="bold"), *whole[1:])
    return ledger


def _ranks(job: Job) -> Iterator[RenderableType]:
    ranks = job.ranks
    if len(ranks) > RANKS_SHOWN:
        by_waiting = sorted(ranks, key=lambda rank: rank.causes.get(RANK_IMBALANCE, 0))
        ranks = sorted(by_waiting[: RANKS_SHOWN // 2] + by_waiting[-RANKS_SHOWN // 2 :], key=lambda rank: rank.rank)
    yield Text("Ranks", style="bold")
    for rank in ranks:
        yield item(words.ledger(rank, job))
    if len(ranks) < len(job.ranks):
        yield item(f"and {len(job.ranks) - len(ranks)} more (--format json lists all)")
