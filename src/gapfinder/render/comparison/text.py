"""The comparison for a terminal: one screen of 80 columns; plain text in a pipe."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from gapfinder.comparison import words
from gapfinder.comparison.comparison import Comparison, KernelChange, Pair
from gapfinder.gates.gate import line
from gapfinder.render.terminal import as_html, item, table, to_text
from gapfinder.units import percent

KERNELS_SHOWN = 8
STYLES = {"closed": "green", "shrank": "green", "grew": "red", "new": "red"}


def render(comparison: Comparison, *, width: int, color: bool) -> str:
    """The comparison as text of at most `width` columns. With more than two traces it has a trend, too."""
    return to_text(_parts(comparison), width=width, color=color)


def html(comparison: Comparison) -> str:
    """The comparison as HTML for a notebook."""
    return as_html(_parts(comparison))


def _parts(comparison: Comparison) -> Iterator[RenderableType]:
    pair = comparison.last
    labels = words.labels(comparison)
    for label, name, trace in zip(labels, words.names(comparison), comparison.traces, strict=True):
        yield Text(f"{label:<6}  {name}: {words.subject(trace)}", style="dim")
    yield ""
    yield Text(pair.headline, style=_style(pair))
    yield Text(words.bottleneck(comparison.traces[0], comparison.traces[-1]))
    if pair.prediction:
        yield Text(words.prediction(pair.prediction))
    yield ""
    yield _step_times(comparison, labels)
    yield ""
    yield _ledger(comparison, labels)
    yield ""
    yield from _kernels(pair.kernels)
    if pair.remarks:
        yield ""
        yield Text("Keep in mind", style="bold")
        yield from (item(remark) for remark in pair.remarks)
    if comparison.gates:
        yield ""
        yield Text("Gates", style="bold")
        yield from (item(line(gate), mark="  ", style="green" if gate.passed else "bold red") for gate in comparison.gates)


def _style(pair: Pair) -> str:
    if pair.difference is None or pair.speedup is None:
        return "bold yellow"
    return "bold" if not pair.difference else "bold green" if pair.speedup.ratio > 1 else "bold red"


def _step_times(comparison: Comparison, labels: list[str]) -> Table:
    """The step times of each trace: with more than two traces, the trend."""
    steps = table("Step", ("mean", "right"), ("95 %", "right"), ("speedup", "right"), ("95 %", "right"), ("lost", "right"))
    for label, trace, pair in zip(labels, comparison.traces, [None, *comparison.pairs], strict=True):
        against = (words.speedup(pair.speedup), words.speedup_interval(pair.speedup)) if pair else ("", "")
        times = words.step(trace.step), words.step_interval(trace.step)
        steps.add_row(label, *times, *against, percent(trace.lost_share))
    return steps


def _ledger(comparison: Comparison, labels: list[str]) -> Table:
    several_gpus = max(trace.devices for trace in comparison.traces) > 1
    title = "Ledger, mean of the GPUs" if several_gpus else "Ledger"
    ledger = table(title, (labels[0], "right"), (labels[-1], "right"), ("difference", "right"), ("", "left"))
    for entry in words.ledger(comparison.last):
        ledger.add_row(entry.name, *words.amounts(entry), Text(entry.change, style=STYLES.get(entry.change, "dim")))
    before, after = comparison.traces[0].step, comparison.traces[-1].step
    if before and after:
        ledger.add_row(Text("step", style="bold"), words.step(before), words.step(after), words.difference(after.ns - before.ns))
    return ledger


def _kernels(changes: list[KernelChange]) -> Iterator[RenderableType]:
    if not changes:
        yield Text("The same kernels run, as often and about as long.")
        return
    kernels = table("Kernels that changed", ("times per step", "right"), ("each", "right"))
    for change in changes[:KERNELS_SHOWN]:
        kernels.add_row(Text(change.name), *words.kernel(change))
    yield kernels
    if len(changes) > KERNELS_SHOWN:
        yield Text(words.more_kernels(len(changes) - KERNELS_SHOWN))
