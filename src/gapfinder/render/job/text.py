"""The diagnosis of a job for a terminal: one screen, pleasant at 80 columns, plain through a pipe."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from gapfinder.diagnosis.finding import GPU_BOUND
from gapfinder.diagnosis.job import Job
from gapfinder.gates.gate import line
from gapfinder.job import words
from gapfinder.render.terminal import as_html, item, shown, table
from gapfinder.units import duration, percent

EVIDENCE = 6
RANKS = 16  # of more, those that wait least and most


def render(job: Job, *, width: int, color: bool) -> str:
    """The diagnosis as text of at most `width` columns."""
    return shown(_parts(job), width=width, color=color)


def html(job: Job) -> str:
    """The same for a notebook."""
    return as_html(_parts(job))


def _parts(job: Job) -> Iterator[RenderableType]:
    yield Text(words.subject(job), style="dim")
    yield ""
    yield Text(job.headline, style="bold green" if job.verdict == GPU_BOUND else "bold red")
    yield from details(job)
    yield ""
    yield _causes(job)
    yield ""
    yield from around(job)
    if job.notes:
        yield ""
        yield Text("What these traces cannot tell", style="bold")
        yield from (item(note) for note in job.notes)
    if job.gates:
        yield ""
        yield Text("Gates", style="bold")
        yield from (item(line(gate), mark="  ", style="green" if gate.passed else "bold red") for gate in job.gates)


def details(job: Job) -> Iterator[RenderableType]:
    """What to change, and the evidence."""
    if late := words.late(job):
        yield Text(late)
    if job.fix or words.prediction(job) or job.evidence:
        yield ""
    if job.fix:
        yield item(job.fix, mark="> ", style="green")
    if prediction := words.prediction(job):
        yield item(prediction, mark="> ", style="green")
    for fact in job.evidence[:EVIDENCE]:
        yield item(fact.text)


def around(job: Job) -> Iterator[RenderableType]:
    """The ranks, the collectives, and how well the clocks fit."""
    yield from _ranks(job)
    yield ""
    yield _transfers(job)
    if found := words.streams(job):
        yield Text(found)
    yield Text(words.alignment(job))


def _causes(job: Job) -> Table:
    found = table("Ledger, mean of the ranks", ("per step", "right"), ("share", "right"), ("", "left"))
    window_ns = sum(rank.window_ns for rank in job.ranks)
    compute = sum(rank.compute_ns for rank in job.ranks) / window_ns
    found.add_row("compute", duration(compute * job.step_ns), percent(compute), "")
    for cause in job.causes:
        designed = "by design" if cause.by_design else ""
        found.add_row(Text(cause.cause), duration(cause.share * job.step_ns), percent(cause.share), designed)
    found.add_row(Text("window", style="bold"), duration(job.step_ns), percent(1.0), "")
    return found


def _ranks(job: Job) -> Iterator[RenderableType]:
    told = job.ranks
    if len(told) > RANKS:
        by_waiting = sorted(told, key=lambda rank: rank.causes.get("rank_imbalance", 0))
        told = sorted(by_waiting[: RANKS // 2] + by_waiting[-RANKS // 2 :], key=lambda rank: rank.rank)
    yield Text("Ranks", style="bold")
    for rank in told:
        yield item(words.ledger(rank, job.steps))
    if len(told) < len(job.ranks):
        yield item(f"and {len(job.ranks) - len(told)} more (all of them in --format json)")


def _transfers(job: Job) -> Table:
    found = table(
        "Collectives", ("size", "right"), ("times", "right"), ("data moves", "right"), ("bus", "right"), ("of the best", "right")
    )
    for one in job.transfers:
        found.add_row(*map(Text, words.transfer(one)))
    return found
