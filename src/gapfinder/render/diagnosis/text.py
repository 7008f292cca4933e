"""The diagnosis for a terminal: one screen of 80 columns; plain text in a pipe."""

import shlex
from collections.abc import Iterator
from textwrap import wrap
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from gapfinder.diagnosis import metrics, tables, words
from gapfinder.diagnosis.cause import GPU_BOUND, DiagnosedCause
from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.diagnosis.ranking import order_of_fixes
from gapfinder.diagnosis.regimes import is_varied
from gapfinder.diagnosis.requests import sentences
from gapfinder.diagnosis.window import subject
from gapfinder.display import Table as Content
from gapfinder.render.terminal import Bar, as_html, gates, item, items, shown, table, to_text
from gapfinder.units import duration, percent

if TYPE_CHECKING:
    from gapfinder.diagnosis.job import Job

COMMAND_WIDTH = 72
EVIDENCE_SHOWN = 6  # facts for each cause
MIN_SHARE = 0.01  # of the window; below it a GPU-bound diagnosis shows no cause in detail
ROWS_SHOWN = 5  # of phases, and of kernels


def render(diagnosis: Diagnosis, *, width: int, color: bool) -> str:
    """The diagnosis as text of at most `width` columns. With `color` it has colours and bars."""
    return to_text(_parts(diagnosis, bars=color), width=width, color=color)


def html(diagnosis: Diagnosis) -> str:
    """The diagnosis as HTML for a notebook."""
    return as_html(_parts(diagnosis, bars=True))


def _parts(diagnosis: Diagnosis, *, bars: bool) -> Iterator[RenderableType]:
    yield Text(subject(diagnosis.trace, (device.name for device in diagnosis.devices), diagnosis.window), style="dim")
    yield ""
    yield Text(diagnosis.headline, style="bold green" if diagnosis.verdict == GPU_BOUND else "bold red")
    if diagnosis.why_first:
        yield Text(diagnosis.why_first)
    for sentence in sentences(diagnosis.requests, diagnosis.tokens, diagnosis.causes, diagnosis.window):
        yield item(sentence)
    yield ""
    yield _ledger(diagnosis, bars=bars)
    yield from _tables(tables.gpus(diagnosis), tables.regimes(diagnosis))
    if other := _other_regime(diagnosis):
        yield Text(f"--window {shlex.quote(other)} diagnoses {other} instead", style="dim")
    for cause in _detailed(diagnosis):
        yield ""
        yield from _cause(cause, diagnosis)
    if order := order_of_fixes(diagnosis):
        yield ""
        yield Text(order.line, style="bold")
    yield from _ranks(diagnosis.job)
    yield from _tables(tables.phases(diagnosis), tables.kernels(diagnosis), rows=ROWS_SHOWN)
    for sentence in metrics.sentences(diagnosis.metrics):
        yield ""
        yield Text(sentence)
    if diagnosis.next_command:
        yield ""
        yield Text("Next, look inside the kernel with Nsight Compute:")
        yield Padding(Text(_wrapped(diagnosis.next_command), style="bold"), (0, 0, 0, 2))
    yield from items("What this trace cannot tell", diagnosis.notes)
    yield from gates(diagnosis.gates)


def _tables(*contents: Content, rows: int | None = None) -> Iterator[RenderableType]:
    for content in contents:
        if content.rows:
            yield ""
            yield shown(content, rows)


def _ranks(job: "Job | None") -> Iterator[RenderableType]:
    if job:
        from gapfinder.job.words import late
        from gapfinder.render.job.text import rank_tables

        yield ""
        yield Text("Across the ranks", style="bold")
        if who := late(job):
            yield Text(who)
            yield ""
        yield from rank_tables(job)


def _ledger(diagnosis: Diagnosis, *, bars: bool) -> Table:
    title = f"Ledger, mean of {len(diagnosis.devices)} GPUs" if len(diagnosis.devices) > 1 else "Ledger"
    of_bars = [("", "left")] if bars else []
    ledger = table(title, (diagnosis.window.per_unit, "right"), ("share", "right"), *of_bars)
    *rows, whole = tables.ledger(diagnosis.compute_share, diagnosis.causes, diagnosis.window.step_ns)
    shares = {cause.cause: (cause.share, "red" if cause.is_finding else "yellow") for cause in diagnosis.causes}
    for name, time, percentage in rows:
        bar = [Bar(*shares.get(name, (diagnosis.compute_share, "green")))] if bars else []
        ledger.add_row(Text(name), time, percentage, *bar)
    ledger.add_row(Text(whole[0], style="bold"), *whole[1:])
    return ledger


def _other_regime(diagnosis: Diagnosis) -> str | None:
    """The kind of regime that the diagnosis is not of: steps, else the one that takes the most time."""
    if not is_varied(diagnosis.regimes):
        return None
    kinds = [regime.kind for regime in diagnosis.regimes if regime.kind not in ("start-up", "end", diagnosis.window.regime)]
    return ("steps" if "steps" in kinds else kinds[0]) if kinds else None


def _detailed(diagnosis: Diagnosis) -> list[DiagnosedCause]:
    if diagnosis.verdict == GPU_BOUND:
        largest = sorted(diagnosis.causes, key=lambda cause: -cause.share)[:1]
        return [cause for cause in largest if cause.share >= MIN_SHARE]
    return [cause for cause in diagnosis.causes if cause.is_finding]


def _cause(cause: DiagnosedCause, diagnosis: Diagnosis) -> Iterator[RenderableType]:
    lost = f"{diagnosis.window.each(duration(cause.share * diagnosis.window.step_ns))}, {percent(cause.share)}"
    yield Text.assemble((cause.cause, "bold"), f"  {lost}: {cause.meaning}")
    if cause.fix:
        yield item(cause.fix, mark="> ", style="green")
    if prediction := words.prediction(cause, diagnosis):
        yield item(prediction, mark="> ", style="green")
    for fact in cause.evidence[:EVIDENCE_SHOWN]:
        yield item(fact.text)


def _wrapped(command: str) -> str:
    """A command on several lines that a shell reads as one."""
    return " \\\n  ".join(wrap(command, COMMAND_WIDTH, break_long_words=False, break_on_hyphens=False))
