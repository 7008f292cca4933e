"""What changed between two traces: the lines of the ledger, and the kernels."""

from dataclasses import replace

from gapfinder.comparison.comparison import KernelChange, Line
from gapfinder.diagnosis.measured import KernelRuns, Measured
from gapfinder.gates.expression import COMPUTE, LOST, STEP

NOTICED = 0.01  # of BEFORE's step: causes that move by less stay the same
LEFT = 0.1  # of a cause: with less, it is closed, or new
OTHER_TIMES = 0.01  # of a kernel's runs a step
# Of its mean time. The kernels of loader_fixed and workers_fixed, which do the same, differ by up to 4 %.
OTHER_TIME = 0.05


def compute(before: Measured, after: Measured) -> Line:
    """The line of compute in both ledgers, which no fix closes."""
    line = _line(COMPUTE, before, after)
    return replace(line, change={"closed": "shrank", "new": "grew"}.get(line.change, line.change))


def causes(before: Measured, after: Measured) -> list[Line]:
    """The lines of all causes that cost something in either trace, most first."""
    lost = [quantity for quantity in before.quantities.shares | after.quantities.shares if quantity not in {COMPUTE, LOST, STEP}]
    lines = (_line(cause, before, after) for cause in lost)
    return sorted((line for line in lines if line.before_share or line.after_share), key=_weight)


def kernels(before: Measured, after: Measured) -> list[KernelChange]:
    """The kernels that changed, those first whose time in the window changed most."""
    names = before.kernels | after.kernels
    pairs = {name: (before.kernels.get(name), after.kernels.get(name)) for name in names}

    def moved(name: str) -> tuple[float, str]:
        was, is_ = (
            (trace.per_step(runs.gpu_ns) or runs.gpu_ns) if runs else 0.0
            for trace, runs in zip((before, after), pairs[name], strict=True)
        )
        return -abs(is_ - was), name

    found = (_kernel(name, before, after) for name in sorted(names, key=moved))
    return [kernel for kernel in found if kernel.changes]


def _line(name: str, before: Measured, after: Measured) -> Line:
    was, is_ = before.quantities.shares.get(name, 0.0), after.quantities.shares.get(name, 0.0)
    was_ns, is_ns = before.per_step_ns(name), after.per_step_ns(name)
    if was_ns is None or is_ns is None or not before.quantities.step_ns:
        return Line(name, None, None, was, is_, _change(was, is_))
    return Line(name, was_ns, is_ns, was, is_, _change(was, is_ns / before.quantities.step_ns))


def _change(was: float, is_: float) -> str:
    """Both as shares of BEFORE's step; or of each one's window, where a trace has no steps."""
    if abs(is_ - was) < NOTICED:
        return "same"
    if is_ < was:
        return "closed" if is_ <= LEFT * was else "shrank"
    return "new" if was <= LEFT * is_ else "grew"


def _weight(line: Line) -> tuple[float, str]:
    return -max(line.before_ns or line.before_share, line.after_ns or line.after_share), line.name


def _kernel(name: str, before: Measured, after: Measured) -> KernelChange:
    was, is_ = before.kernels.get(name), after.kernels.get(name)
    was_times, is_times = (_times(trace, runs) for trace, runs in ((before, was), (after, is_)))
    changes = []
    if was is None or is_ is None:
        changes.append("appeared" if was is None else "vanished")
    else:
        if was_times and is_times and abs(is_times - was_times) > OTHER_TIMES * was_times:
            changes.append("times")
        if abs(_mean_ns(is_) - _mean_ns(was)) > OTHER_TIME * _mean_ns(was):
            changes.append("time")
    means = (_mean_ns(runs) if runs else None for runs in (was, is_))
    return KernelChange(name, changes, was_times, is_times, *means)


def _times(trace: Measured, runs: KernelRuns | None) -> float | None:
    return trace.per_step(runs.times if runs else 0)


def _mean_ns(runs: KernelRuns) -> float:
    return runs.gpu_ns / runs.times
