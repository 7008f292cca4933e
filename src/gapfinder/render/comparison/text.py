"""The comparison for a terminal: one screen, pleasant at 80 columns, plain through a pipe."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from gapfinder.comparison import words
from gapfinder.comparison.comparison import Comparison, KernelChange, Pair
from gapfinder.gates.gate import line
from gapfinder.render.terminal import as_html, item, shown, table
from gapfinder.units import percent

KERNELS = 8
STYLES = {"closed": "green", "shrank": "green", "grew": "red", "new": "red"}


def render(comparison: Comparison, *, width: int, color: bool) -> str:
    """The comparison as text of at most `width` columns; of more than two traces, a trend and the last against the first."""
    return shown(_parts(comparison), width=width, color=color)


def html(comparison: Comparison) -> str:
    """The same for a notebook."""
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
    """The times of each trace; the trend, where there are more than two."""
    found = table("Step", ("mean", "right"), ("95 %", "right"), ("speedup", "right"), ("95 %", "right"), ("lost", "right"))
    for label, trace, pair in zip(labels, comparison.traces, [None, *comparison.pairs], strict=True):
        against = (words.speedup(pair.speedup), words.speedup_interval(pair.speedup)) if pair else ("", "")
        times = words.step(trace.step), words.step_interval(trace.step)
        found.add_row(label, *times, *against, percent(trace.lost_share))
    return found


def _ledger(comparison: Comparison, labels: list[str]) -> Table:
    many = max(trace.devices for trace in comparison.traces) > 1
    title = "Ledger, mean of the GPUs" if many else "Ledger"
    found = table(title, (labels[0], "right"), (labels[-1], "right"), ("difference", "right"), ("", "left"))
    for entry in words.ledger(comparison.last):
        found.add_row(entry.name, *words.amounts(entry), Text(entry.change, style=STYLES.get(entry.change, "dim")))
    before, after = comparison.traces[0].step, comparison.traces[-1].step
    if before and after:
        found.add_row(Text("step", style="bold"), words.step(before), words.step(after), words.difference(after.ns - before.ns))
    return found


def _kernels(changes: list[KernelChange]) -> Iterator[RenderableType]:
    if not changes:
        yield Text("The same kernels run, as often and about as long.")
        return
    found = table("Kernels that changed", ("times per step", "right"), ("each", "right"))
    for change in changes[:KERNELS]:
        found.add_row(Text(change.name), *words.kernel(change))
    yield found
    if len(changes) > KERNELS:
        yield Text(words.more_kernels(len(changes) - KERNELS))
