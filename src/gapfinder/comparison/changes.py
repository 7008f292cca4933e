"""Finds what changed between two traces: the lines of the ledger, and the kernels."""

from dataclasses import replace

from gapfinder.comparison.comparison import KernelChange, Line
from gapfinder.diagnosis.measured import KernelRuns, Measured
from gapfinder.gates.expression import COMPUTE, LOST, STEP

MIN_CHANGE = 0.01  # of BEFORE's step; a cause that changes by less is the same
# A cause is closed if at most this share of it is left, and that takes at most this share of the step; and new if so much of it
# was there before.
CLOSED_SHARE = 0.1
MIN_COUNT_CHANGE = 0.01  # of a kernel's runs per step
# Of a kernel's mean time. The kernels of loader_fixed and workers_fixed do the same work and differ by up to 4 %.
MIN_TIME_CHANGE = 0.05


def compute(before: Measured, after: Measured) -> Line:
    """The line of compute in both ledgers. Compute cannot be closed or new."""
    line = _line(COMPUTE, before, after)
    return replace(line, change={"closed": "shrank", "new": "grew"}.get(line.change, line.change))


def causes(before: Measured, after: Measured) -> list[Line]:
    """The lines of all causes that cost something in either trace, most lost time first."""
    lost = [quantity for quantity in before.quantities.shares | after.quantities.shares if quantity not in {COMPUTE, LOST, STEP}]
    lines = (_line(cause, before, after) for cause in lost)
    return sorted((line for line in lines if line.before_share or line.after_share), key=_sort_key)


def kernels(before: Measured, after: Measured) -> list[KernelChange]:
    """The kernels that changed, in order of the change of their total time, largest first."""
    names = before.kernels | after.kernels
    pairs = {name: (before.kernels.get(name), after.kernels.get(name)) for name in names}

    def sort_key(name: str) -> tuple[float, str]:
        old, new = (
            (trace.per_step(runs.gpu_ns) or runs.gpu_ns) if runs else 0.0
            for trace, runs in zip((before, after), pairs[name], strict=True)
        )
        return -abs(new - old), name

    kernels = (_kernel(name, before, after) for name in sorted(names, key=sort_key))
    return [kernel for kernel in kernels if kernel.changes]


def _line(name: str, before: Measured, after: Measured) -> Line:
    old, new = before.quantities.shares.get(name, 0.0), after.quantities.shares.get(name, 0.0)
    old_ns, new_ns = before.per_step_ns(name), after.per_step_ns(name)
    if old_ns is None or new_ns is None or not before.quantities.step_ns:
        return Line(name, None, None, old, new, _change(old, new, new))
    return Line(name, old_ns, new_ns, old, new, _change(old, new_ns / before.quantities.step_ns, new))


def _change(old: float, new: float, new_of_after: float) -> str:
    """The change of a cause. Both values are shares of BEFORE's step, or of each window if a trace has no steps.

    `new_of_after` is the later one as a share of AFTER's step.
    """
    if abs(new - old) < MIN_CHANGE:
        return "same"
    if new < old:
        return "closed" if new <= CLOSED_SHARE * old and new_of_after <= CLOSED_SHARE else "shrank"
    return "new" if old <= CLOSED_SHARE * new and old <= CLOSED_SHARE else "grew"


def _sort_key(line: Line) -> tuple[float, str]:
    return -max(line.before_ns or line.before_share, line.after_ns or line.after_share), line.name


def _kernel(name: str, before: Measured, after: Measured) -> KernelChange:
    old, new = before.kernels.get(name), after.kernels.get(name)
    old_times, new_times = (_times(trace, runs) for trace, runs in ((before, old), (after, new)))
    changes = []
    if old is None or new is None:
        changes.append("appeared" if old is None else "vanished")
    else:
        if old_times and new_times and abs(new_times - old_times) > MIN_COUNT_CHANGE * old_times:
            changes.append("times")
        if abs(_mean_ns(new) - _mean_ns(old)) > MIN_TIME_CHANGE * _mean_ns(old):
            changes.append("time")
    means = (_mean_ns(runs) if runs else None for runs in (old, new))
    return KernelChange(name, changes, old_times, new_times, *means)


def _times(trace: Measured, runs: KernelRuns | None) -> float | None:
    return trace.per_step(runs.times if runs else 0)


def _mean_ns(runs: KernelRuns) -> float:
    return runs.gpu_ns / runs.times
