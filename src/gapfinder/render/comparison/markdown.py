"""The comparison as Markdown, for a comment on a pull request."""

from gapfinder.comparison import words
from gapfinder.comparison.comparison import Comparison
from gapfinder.render.markdown import escape, gates, table
from gapfinder.units import percent

KERNELS_SHOWN = 8


def render(comparison: Comparison, *, width: int, color: bool) -> str:  # noqa: ARG001  part of the protocol
    """The comparison as Markdown. With more than two traces it has a trend, and compares the last trace with the first."""
    pair = comparison.last
    lines = [f"## {escape(pair.headline)}", "", escape(words.bottleneck(comparison.traces[0], comparison.traces[-1]))]
    if pair.prediction:
        lines += ["", escape(words.prediction(pair.prediction))]
    lines += [*gates(comparison.gates), "", *_step_times(comparison), "", *_ledger(comparison), "", *_kernels(comparison)]
    if pair.remarks:
        lines += ["", "Keep in mind:", "", *(f"- {escape(remark)}" for remark in pair.remarks)]
    return "\n".join(lines) + "\n"


def _step_times(comparison: Comparison) -> list[str]:
    rows = []
    names = (f"{label}: {name}" for label, name in zip(words.labels(comparison), words.names(comparison), strict=True))
    for name, trace, pair in zip(names, comparison.traces, [None, *comparison.pairs], strict=True):
        against = (words.speedup(pair.speedup), words.speedup_interval(pair.speedup)) if pair else ("", "")
        about = escape(f"{name}, {words.subject(trace)}")
        rows.append((about, words.step(trace.step), words.step_interval(trace.step), *against, percent(trace.lost_share)))
    return table(("trace", "step", "95 %", "speedup", "95 %", "lost"), rows)


def _ledger(comparison: Comparison) -> list[str]:
    several_gpus = max(trace.devices for trace in comparison.traces) > 1
    labels = words.labels(comparison)
    rows = [(escape(entry.name), *words.amounts(entry), entry.change) for entry in words.ledger(comparison.last)]
    before, after = comparison.traces[0].step, comparison.traces[-1].step
    if before and after:
        rows.append(("step", words.step(before), words.step(after), words.difference(after.ns - before.ns), ""))
    head = "per step, mean of the GPUs" if several_gpus else "per step"
    return table((head if before and after else "share", labels[0], labels[-1], "difference", ""), rows)


def _kernels(comparison: Comparison) -> list[str]:
    changes = comparison.last.kernels
    if not changes:
        return ["The same kernels run, as often and about as long."]
    rows = [(escape(change.name), *words.kernel(change)) for change in changes[:KERNELS_SHOWN]]
    more = ["", escape(words.more_kernels(len(changes) - KERNELS_SHOWN))] if len(changes) > KERNELS_SHOWN else []
    return [*table(("kernels that changed", "times per step", "each"), rows), *more]
