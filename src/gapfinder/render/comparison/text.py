"""The comparison for a terminal: one screen of 80 columns; plain text in a pipe."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table as RichTable
from rich.text import Text

from gapfinder.comparison import words
from gapfinder.comparison.comparison import Comparison, Pair
from gapfinder.display import Table
from gapfinder.render.terminal import as_html, gates, items, shown, table, to_text

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
    yield Text(words.bottleneck(comparison))
    if pair.prediction:
        yield Text(words.prediction(pair.prediction))
    yield ""
    rows = [(label, *cells) for label, cells in zip(labels, words.step_times(comparison), strict=True)]
    yield shown(Table(("Step", "mean", *words.STEP_TIMES[1:]), rows))
    yield ""
    yield _ledger(comparison, labels)
    yield ""
    if pair.kernels:
        yield shown(words.kernels(comparison))
    if others := words.other_kernels(comparison):
        yield Text(others)
    yield from items("Keep in mind", pair.remarks)
    yield from gates(comparison.gates)


def _style(pair: Pair) -> str:
    if pair.difference is None or pair.speedup is None:
        return "bold yellow"
    return "bold" if not pair.difference else "bold green" if pair.speedup.ratio > 1 else "bold red"


def _ledger(comparison: Comparison, labels: list[str]) -> RichTable:
    several_gpus = max(trace.devices for trace in comparison.traces) > 1
    title = "Ledger, mean of the GPUs" if several_gpus else "Ledger"
    ledger = table(title, (labels[0], "right"), (labels[-1], "right"), ("difference", "right"), ("change", "left"))
    for name, *cells, change in words.ledger_rows(comparison):
        style = "bold" if name == "step" else ""
        ledger.add_row(Text(name, style=style), *cells, Text(change, style=STYLES.get(change, "dim")))
    return ledger
