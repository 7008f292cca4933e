"""The diagnosis as Markdown, for an issue or a pull request."""

from gapfinder.diagnosis import metrics, words
from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.diagnosis.finding import Finding
from gapfinder.diagnosis.ranking import order_of_fixes
from gapfinder.diagnosis.regimes import is_varied
from gapfinder.diagnosis.requests import sentences
from gapfinder.render.markdown import escape, gates, table
from gapfinder.units import amount, duration, percent

EVIDENCE_SHOWN = 7  # facts for each cause


def render(diagnosis: Diagnosis, *, width: int, color: bool) -> str:  # noqa: ARG001  part of the protocol
    """The diagnosis as Markdown."""
    window = diagnosis.window
    steps, step_ns, per_step = window.in_steps, window.step_ns, window.per_unit
    ledger = [("compute", diagnosis.compute_share), *_shares(diagnosis), ("window", 1.0)]
    lines = [
        f"## {escape(diagnosis.headline)}",
        "",
        *((escape(diagnosis.why_first), "") if diagnosis.why_first else ()),
        *(f"- {escape(line)}" for line in sentences(diagnosis.requests, diagnosis.tokens, diagnosis.causes, diagnosis.window)),
        "",
        *table(("", per_step, "share"), [(escape(name), duration(share * step_ns), percent(share)) for name, share in ledger]),
    ]
    if is_varied(diagnosis.regimes):
        recorded_ns = sum(regime.length_ns for regime in diagnosis.regimes)
        regimes = (
            (
                escape(regime.kind),
                f"{regime.steps if regime.kind == 'steps' else regime.times:,}",
                duration(regime.length_ns),
                percent(regime.length_ns / recorded_ns),
                percent(regime.compute_share) if regime.devices else "",
            )
            for regime in diagnosis.regimes
        )
        lines += ["", *table(("recorded", "times", "in all", "share", "computes"), regimes)]
    for cause in diagnosis.causes:
        if cause.is_finding:
            lines += ["", *_cause(cause, diagnosis)]
    if order := order_of_fixes(diagnosis):
        lines += ["", f"**{escape(order.line)}**"]
    if diagnosis.job:
        from gapfinder.render.job.markdown import ranks

        lines += ["", "### Across the ranks", *ranks(diagnosis.job)]
    if diagnosis.phases:
        phases = (
            (
                escape(phase.name),
                duration(phase.gpu_ns / steps),
                duration(phase.lost_ns / steps),
                f"{phase.activities / steps:.0f}",
            )
            for phase in diagnosis.phases
        )
        lines += ["", *table(("phase", *map(window.mean_of, ("GPU work", "lost", "activities"))), phases)]
    kernels = (
        (escape(kernel.name), duration(kernel.gpu_ns / steps), duration(kernel.mean_ns), amount(kernel.times / steps))
        for kernel in diagnosis.kernels
    )
    lines += ["", *table(("kernel", per_step, "each", window.mean_of("times")), kernels)]
    for sentence in metrics.sentences(diagnosis.metrics):
        lines += ["", escape(sentence)]
    if diagnosis.next_command:
        lines += ["", "Next, look inside the kernel with Nsight Compute:", "", f"    {diagnosis.next_command}"]
    if diagnosis.notes:
        lines += ["", "What this trace cannot tell:", "", *(f"- {escape(note)}" for note in diagnosis.notes)]
    return "\n".join([*lines, *gates(diagnosis.gates)]) + "\n"


def _shares(diagnosis: Diagnosis) -> list[tuple[str, float]]:
    return sorted(((cause.cause, cause.share) for cause in diagnosis.causes), key=lambda row: -row[1])


def _cause(cause: Finding, diagnosis: Diagnosis) -> list[str]:
    lines = [f"### {escape(cause.cause)}: {escape(cause.meaning)} ({percent(cause.share)})", ""]
    if cause.fix:
        lines += [f"**Fix:** {escape(cause.fix)}", ""]
    if prediction := words.prediction(cause, diagnosis):
        lines += [f"**Prediction:** {escape(prediction)}.", ""]
    return lines + [f"- {escape(fact.text)}" for fact in cause.evidence[:EVIDENCE_SHOWN]]
