"""The comparison as Markdown, for a comment on a pull request."""

from gapfinder.comparison import words
from gapfinder.comparison.comparison import Comparison
from gapfinder.display import Table
from gapfinder.render.markdown import escape, gates, items, shown


def render(comparison: Comparison, *, width: int, color: bool) -> str:  # noqa: ARG001  part of the protocol
    """The comparison as Markdown. With more than two traces it has a trend, and compares the last trace with the first."""
    pair = comparison.last
    lines = [f"## {escape(pair.headline)}", "", escape(words.bottleneck(comparison))]
    if pair.prediction:
        lines += ["", escape(words.prediction(pair.prediction))]
    lines += [*gates(comparison.gates), *_step_times(comparison), *_ledger(comparison), *_kernels(comparison)]
    lines += items("Keep in mind:", pair.remarks)
    return "\n".join(lines) + "\n"


def _step_times(comparison: Comparison) -> list[str]:
    names = zip(words.labels(comparison), words.names(comparison), comparison.traces, strict=True)
    subjects = [f"{label}: {name}, {words.subject(trace)}" for label, name, trace in names]
    rows = [(about, *cells) for about, cells in zip(subjects, words.step_times(comparison), strict=True)]
    return shown(Table(("trace", *words.STEP_TIMES), rows))


def _ledger(comparison: Comparison) -> list[str]:
    several_gpus = max(trace.devices for trace in comparison.traces) > 1
    labels = words.labels(comparison)
    head = "per step, mean of the GPUs" if several_gpus else "per step"
    in_steps = comparison.traces[0].step and comparison.traces[-1].step
    return shown(Table((head if in_steps else "share", labels[0], labels[-1], "difference", ""), words.ledger_rows(comparison)))


def _kernels(comparison: Comparison) -> list[str]:
    lines = shown(words.kernels(comparison)) if comparison.last.kernels else []
    others = words.other_kernels(comparison)
    return [*lines, "", escape(others)] if others else lines
