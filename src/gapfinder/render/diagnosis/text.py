"""The diagnosis for a terminal: one screen of 80 columns; plain text in a pipe."""

import shlex
from collections.abc import Iterator
from textwrap import wrap
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from gapfinder.diagnosis import metrics, words
from gapfinder.diagnosis.diagnosis import Device, Diagnosis
from gapfinder.diagnosis.finding import GPU_BOUND, Finding
from gapfinder.diagnosis.ranking import order_of_fixes
from gapfinder.diagnosis.regimes import is_varied
from gapfinder.diagnosis.requests import sentences
from gapfinder.diagnosis.window import subject
from gapfinder.gates.gate import line
from gapfinder.render.terminal import as_html, item, table, to_text
from gapfinder.units import amount, count, duration, percent

if TYPE_CHECKING:
    from gapfinder.diagnosis.job import Job

BAR_WIDTH = 24
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
    if is_varied(diagnosis.regimes):
        yield ""
        yield _regimes(diagnosis)
        if other := _other_regime(diagnosis):
            yield Text(f"--window {shlex.quote(other)} diagnoses {other} instead", style="dim")
    for cause in _detailed(diagnosis):
        yield ""
        yield from _cause(cause, diagnosis)
    if order := order_of_fixes(diagnosis):
        yield ""
        yield Text(order.line, style="bold")
    yield from _ranks(diagnosis.job)
    if diagnosis.phases:
        yield ""
        yield _phases(diagnosis)
    yield ""
    yield _kernels(diagnosis)
    for sentence in metrics.sentences(diagnosis.metrics):
        yield ""
        yield Text(sentence)
    if diagnosis.next_command:
        yield ""
        yield Text("Next, look inside the kernel with Nsight Compute:")
        yield Padding(Text(_wrapped(diagnosis.next_command), style="bold"), (0, 0, 0, 2))
    yield from _notes(diagnosis)


def _notes(diagnosis: Diagnosis) -> Iterator[RenderableType]:
    if diagnosis.notes:
        yield ""
        yield Text("What this trace cannot tell", style="bold")
        for note in diagnosis.notes:
            yield item(note)
    if diagnosis.gates:
        yield ""
        yield Text("Gates", style="bold")
        for gate in diagnosis.gates:
            yield item(line(gate), mark="  ", style="green" if gate.passed else "bold red")


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
    step_ns = diagnosis.window.step_ns
    title = f"Ledger, mean of {len(diagnosis.devices)} GPUs" if len(diagnosis.devices) > 1 else "Ledger"
    ledger = table(title, (diagnosis.window.per_unit, "right"), ("share", "right"), ("", "left"))
    by_share = sorted(diagnosis.causes, key=lambda cause: -cause.share)
    causes = [(cause.cause, cause.share, "red" if cause.is_finding else "yellow") for cause in by_share]
    for name, share, style in [("compute", diagnosis.compute_share, "green"), *causes]:
        bar = Text("█" * round(BAR_WIDTH * share) or "▏", style=style) if bars else Text()
        ledger.add_row(Text(name), duration(share * step_ns), percent(share), bar)
    ledger.add_row(Text("window", style="bold"), duration(step_ns), percent(1.0), "")
    if len(diagnosis.devices) > 1:
        for device in diagnosis.devices:
            _add_device(ledger, device, diagnosis.window.in_steps)
    return ledger


def _add_device(ledger: Table, device: Device, steps: float) -> None:
    worst = max(device.causes, key=lambda cause: device.causes[cause], default=None)
    most = f"loses most to {worst}, {percent(device.causes[worst] / device.window_ns)}" if worst else ""
    ledger.add_row(f"GPU {device.gpu} computes", duration(device.compute_ns / steps), percent(device.compute_share), most)


def _other_regime(diagnosis: Diagnosis) -> str | None:
    """The kind of regime that the diagnosis is not of: steps, else the one that takes the most time."""
    kinds = [regime.kind for regime in diagnosis.regimes if regime.kind not in ("start-up", "end", diagnosis.window.regime)]
    return ("steps" if "steps" in kinds else kinds[0]) if kinds else None


def _regimes(diagnosis: Diagnosis) -> Table:
    recorded_ns = sum(regime.length_ns for regime in diagnosis.regimes)
    columns = ("every", "times", "in all", "share", "computes", "loses most to")
    regimes = table("Recorded", *((column, "right") for column in columns))
    for regime in diagnosis.regimes:
        worst = regime.most_lost()
        regimes.add_row(
            regime.kind,
            count(round(regime.every_steps), "step") if regime.every_steps else "",
            f"{regime.steps if regime.kind == 'steps' else regime.times:,}",
            duration(regime.length_ns),
            percent(regime.length_ns / recorded_ns),
            percent(regime.compute_share) if regime.devices else "",
            f"{worst[0]} {percent(worst[1])}" if worst else "",
        )
    return regimes


def _detailed(diagnosis: Diagnosis) -> list[Finding]:
    if diagnosis.verdict == GPU_BOUND:
        largest = sorted(diagnosis.causes, key=lambda cause: -cause.share)[:1]
        return [cause for cause in largest if cause.share >= MIN_SHARE]
    return [cause for cause in diagnosis.causes if cause.is_finding]


def _cause(cause: Finding, diagnosis: Diagnosis) -> Iterator[RenderableType]:
    lost = f"{diagnosis.window.each(duration(cause.share * diagnosis.window.step_ns))}, {percent(cause.share)}"
    yield Text.assemble((cause.cause, "bold"), f"  {lost}: {cause.meaning}")
    if cause.fix:
        yield item(cause.fix, mark="> ", style="green")
    if prediction := words.prediction(cause, diagnosis):
        yield item(prediction, mark="> ", style="green")
    for fact in cause.evidence[:EVIDENCE_SHOWN]:
        yield item(fact.text)


def _of_all_gpus(title: str, diagnosis: Diagnosis) -> str:
    """The title of a table of sums over all GPUs; the ledger has means."""
    return title if len(diagnosis.devices) == 1 else f"{title} ({len(diagnosis.devices)} GPUs together)"


def _phases(diagnosis: Diagnosis) -> Table:
    steps = diagnosis.window.in_steps
    columns = ((diagnosis.window.mean_of(what), "right") for what in ("GPU work", "lost", "activities"))
    phases = table(_of_all_gpus("Phases", diagnosis), *columns)
    for phase in diagnosis.phases[:ROWS_SHOWN]:
        phases.add_row(
            Text(phase.name), duration(phase.gpu_ns / steps), duration(phase.lost_ns / steps), f"{phase.activities / steps:.0f}"
        )
    return phases


def _kernels(diagnosis: Diagnosis) -> Table:
    window = diagnosis.window
    steps = window.in_steps
    title = _of_all_gpus("Kernels", diagnosis)
    kernels = table(title, (window.per_unit, "right"), ("each", "right"), (window.mean_of("times"), "right"))
    for kernel in diagnosis.kernels[:ROWS_SHOWN]:
        kernels.add_row(
            Text(kernel.name), duration(kernel.gpu_ns / steps), duration(kernel.mean_ns), amount(kernel.times / steps)
        )
    return kernels


def _wrapped(command: str) -> str:
    """A command on several lines that a shell reads as one."""
    return " \\\n  ".join(wrap(command, COMMAND_WIDTH, break_long_words=False, break_on_hyphens=False))
