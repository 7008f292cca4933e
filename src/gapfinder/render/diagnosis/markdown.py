"""The diagnosis as Markdown, for an issue or a pull request."""

from gapfinder.diagnosis import metrics, tables, words
from gapfinder.diagnosis.cause import DiagnosedCause
from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.diagnosis.ranking import order_of_fixes
from gapfinder.diagnosis.requests import sentences
from gapfinder.display import Table
from gapfinder.render.markdown import escape, gates, items, shown
from gapfinder.units import percent

EVIDENCE_SHOWN = 7  # facts for each cause


def render(diagnosis: Diagnosis, *, width: int, color: bool) -> str:  # noqa: ARG001  part of the protocol
    """The diagnosis as Markdown."""
    window = diagnosis.window
    lines = [
        f"## {escape(diagnosis.headline)}",
        "",
        *((escape(diagnosis.why_first), "") if diagnosis.why_first else ()),
        *(f"- {escape(line)}" for line in sentences(diagnosis.requests, diagnosis.tokens, diagnosis.causes, window)),
        *shown(Table(("", window.per_unit, "share"), tables.ledger(diagnosis.compute_share, diagnosis.causes, window.step_ns))),
    ]
    for content in (tables.gpus(diagnosis), tables.regimes(diagnosis)):
        lines += shown(content) if content.rows else []
    for cause in diagnosis.causes:
        if cause.is_finding:
            lines += ["", *_cause(cause, diagnosis)]
    if order := order_of_fixes(diagnosis):
        lines += ["", f"**{escape(order.line)}**"]
    if diagnosis.job:
        from gapfinder.render.job.markdown import ranks

        lines += ["", "### Across the ranks", *ranks(diagnosis.job)]
    for content in (tables.phases(diagnosis), tables.kernels(diagnosis)):
        lines += shown(content) if content.rows else []
    for sentence in metrics.sentences(diagnosis.metrics):
        lines += ["", escape(sentence)]
    if diagnosis.next_command:
        lines += ["", "Next, look inside the kernel with Nsight Compute:", "", f"    {diagnosis.next_command}"]
    lines += items("What this trace cannot tell:", diagnosis.notes)
    return "\n".join([*lines, *gates(diagnosis.gates)]) + "\n"


def _cause(cause: DiagnosedCause, diagnosis: Diagnosis) -> list[str]:
    lines = [f"### {escape(cause.cause)}: {escape(cause.meaning)} ({percent(cause.share)})", ""]
    if cause.fix:
        lines += [f"**Fix:** {escape(cause.fix)}", ""]
    if prediction := words.prediction(cause, diagnosis):
        lines += [f"**Prediction:** {escape(prediction)}.", ""]
    return lines + [f"- {escape(fact.text)}" for fact in cause.evidence[:EVIDENCE_SHOWN]]
