"""Decides whether two traces can be compared, and what to keep in mind if they can."""

from gapfinder.comparison.bootstrap import MIN_VALUES
from gapfinder.comparison.headline import factor
from gapfinder.diagnosis.diagnosis import WHOLE_GRAPHS, Diagnosis
from gapfinder.diagnosis.measured import Measured
from gapfinder.diagnosis.regimes import LAUNCH_PERIOD
from gapfinder.gates.expression import COMPUTE
from gapfinder.units import amount, clean, count, duration, percent

MAX_WORK_DIFFERENCE = 0.05  # of compute and activities per step; a larger difference means other work
MAX_COMPUTE_RATIO = 2.0  # of a step; few fixes change its compute by more, and no replay does
MUCH_TRACING = 0.2  # of a step: then its speedup may be another one without the profiler
MIN_STEPS_IN_ONE = 1.5  # times as often as in the other trace; no fix makes all kernels run more often
MIN_COMMON_KERNELS = 3  # fewer may all run more often by chance
MIN_COMMON_SHARE = 0.5  # of kernel time in common kernels; two captures of one program have nearly all of it in common
OUTSIDE_LOOP = {"start-up", "end", "everything", "asked"}  # regimes
LOOP_ONLY = OUTSIDE_LOOP | {"steps"}
MAX_FREQUENCY_RATIO = 1.5  # one validation after 20 steps, and two after 60
STEPS = {"nvtx": "an NVTX range", LAUNCH_PERIOD: "the period of the launch sequence", "requests": "the requests"}


def obstacles(before: Measured, after: Measured) -> list[str]:
    """The reasons why step times cannot be compared: no steps, different steps, different GPUs, or another program."""
    old, new = before.diagnosis, after.diagnosis
    result = [
        f"no steps were found in {which}, so its step time is unknown"
        for which, trace in (("BEFORE", before), ("AFTER", after))
        if trace.quantities.step_ns is None
    ]
    if not result and old.window.regime != new.window.regime:
        kinds = f"{old.window.regime} in BEFORE and {new.window.regime} in AFTER"
        result.append(f"what loses most is {kinds}: compare the steps of both with --window steps")
    if not result and _step(old) != _step(new):
        result.append(f"a step is {_step(old)} in BEFORE and {_step(new)} in AFTER")
    elif (ratio := _steps_in_one(before, after)) is not None:
        more, less = ("AFTER", "BEFORE") if ratio > 1 else ("BEFORE", "AFTER")
        result.append(
            f"each kernel runs {max(ratio, 1 / ratio):.3g} times as often in a step of {more} as in one of {less}: "
            "these steps hold other work"
        )
    if len(old.devices) != len(new.devices):
        result.append(f"BEFORE ran on {count(len(old.devices), 'GPU')} and AFTER on {len(new.devices)}")
    if gpus(old) != gpus(new):
        result.append(f"BEFORE ran on {' and '.join(gpus(old))}, AFTER on {' and '.join(gpus(new))}")
    if _in_common(before, after) == 0:
        result.append("no kernel of BEFORE runs in AFTER")
    return result


def holds_other_work(before: Measured, after: Measured) -> bool:
    """Whether the GPU computes for so much longer in a step of one trace that the steps may hold other work."""
    old_ns, new_ns = (trace.per_step_ns(COMPUTE) or 1.0 for trace in (before, after))
    return max(old_ns, new_ns) > MAX_COMPUTE_RATIO * min(old_ns, new_ns)


def doubt(before: Measured, after: Measured) -> str:
    """A sentence after the headline if unmarked steps may hold other work in one trace; else empty."""
    unmarked = all(trace.diagnosis.window.source == LAUNCH_PERIOD for trace in (before, after))
    if not unmarked or not holds_other_work(before, after):
        return ""
    old, new = (duration(trace.per_step_ns(COMPUTE) or 0) for trace in (before, after))
    return (
        f" The GPU computes {new} in each step, and computed {old}: the steps may hold different work. Mark them with NVTX "
        "ranges to be sure (`gapfinder guide capture`)."
    )


def remarks(before: Measured, after: Measured) -> list[str]:
    """What else may explain a difference: damage, other work in a step, CUDA graphs that hide their activities, few steps."""
    both = (("BEFORE", before), ("AFTER", after))
    result = [
        f"{which} is damaged, and its verdict uncertain: {damage}" for which, trace in both for damage in trace.diagnosis.damage
    ]
    if loops := _whole_loops(before.diagnosis, after.diagnosis):
        result.append(loops)
    if len(before.lengths_ns) > 1 and before.lengths_ns == after.lengths_ns:
        result.append("All steps take as long, to the nanosecond: AFTER is a copy of BEFORE, or holds the same recording.")
    if graphs := [which for which, trace in both if WHOLE_GRAPHS in trace.kernels]:
        result.append(f"CUDA graphs were traced as a whole in {' and '.join(graphs)}: the activities inside are not counted.")
    for kind in [] if graphs else sorted(before.activities | after.activities):
        old, new = (trace.per_step(trace.activities.get(kind, 0)) for trace in (before, after))
        if _differs(old, new):
            result.append(f"A step has {count(old or 0, f'{kind} activity')} in BEFORE and {amount(new or 0)} in AFTER.")
    common = _in_common(before, after)
    if common is not None and common < MIN_COMMON_SHARE:
        result.append(f"Kernels that run in both take {percent(common)} of the GPU's time in BEFORE: is it the same program?")
    if traced := [text for which, trace in both if (text := _without_profiler(which, trace.diagnosis))]:
        result.append(
            f"Tracing slows the CPU: without the profiler, a step {' and '.join(traced)}. Compare the programs' own times."
        )
    old, new = (trace.per_step_ns(COMPUTE) for trace in (before, after))
    if _differs(old, new):
        result.append(
            f"The GPU computes {duration(old or 0)} a step in BEFORE and {duration(new or 0)} in AFTER: "
            "other work, other kernels or another clock rate."
        )
    return result + [
        f"{which} has {count(len(trace.lengths_ns), 'step')}: a confidence interval needs at least {MIN_VALUES}."
        for which, trace in both
        if 0 < len(trace.lengths_ns) < MIN_VALUES
    ]


def _whole_loops(before: Diagnosis, after: Diagnosis) -> str | None:
    """How long a step takes with all that comes between steps; None if nothing does, or not about as often in both."""
    old, new = (_between_steps(trace) for trace in (before, after))
    if not old or old.keys() != new.keys():
        return None
    if any(max(old[kind], new[kind]) > MAX_FREQUENCY_RATIO * min(old[kind], new[kind]) for kind in old):
        return None
    old_ns, new_ns = _loop_step_ns(before), _loop_step_ns(after)
    return (
        f"With all that comes between steps, as checkpoints and validations do, a step takes {duration(old_ns)} in BEFORE and "
        f"{duration(new_ns)} in AFTER: {factor(old_ns / new_ns)} times as fast."
    )


def _between_steps(diagnosis: Diagnosis) -> dict[str, float]:
    """How often each kind of regime comes for each step of the loop."""
    steps = sum(regime.steps for regime in diagnosis.regimes if regime.kind == "steps")
    return {regime.kind: regime.times / steps for regime in diagnosis.regimes if steps and regime.kind not in LOOP_ONLY}


def _loop_step_ns(diagnosis: Diagnosis) -> float:
    """The time from the first step to the last, divided by the number of steps."""
    loop = [regime for regime in diagnosis.regimes if regime.kind not in OUTSIDE_LOOP]
    return sum(regime.length_ns for regime in loop) / sum(regime.steps for regime in loop)


def _without_profiler(which: str, diagnosis: Diagnosis) -> str | None:
    """How long a step takes without the profiler, if that may take much of it."""
    if diagnosis.unprofiled_step_ns is None or diagnosis.unprofiled_step_ns[0] > (1 - MUCH_TRACING) * diagnosis.window.step_ns:
        return None
    low_ns, high_ns = map(duration, diagnosis.unprofiled_step_ns)
    return f"of {which} takes {low_ns} to {high_ns}"


def _steps_in_one(before: Measured, after: Measured) -> float | None:
    """How many times as often all kernels run in a step of AFTER, if it is the same for all and far from once; else None.

    Kernels that do not run in each step do not count.
    """
    common = _in_common(before, after)
    if common is None or common < 1 - MAX_WORK_DIFFERENCE:
        return None
    names = before.kernels.keys() & after.kernels.keys()
    times = [tuple(trace.per_step(trace.kernels[name].times) or 0.0 for trace in (before, after)) for name in names]
    ratios = sorted(new / old for old, new in times if min(old, new) >= 1 - MAX_WORK_DIFFERENCE)
    if len(ratios) < MIN_COMMON_KERNELS or _differs(ratios[0], ratios[-1]):
        return None
    middle = ratios[len(ratios) // 2]
    return middle if max(middle, 1 / middle) >= MIN_STEPS_IN_ONE else None


def _in_common(before: Measured, after: Measured) -> float | None:
    """The share of BEFORE's kernel time in kernels that also run in AFTER; None if graphs hide them, or there is none."""
    total_ns = sum(runs.gpu_ns for runs in before.kernels.values())
    if WHOLE_GRAPHS in before.kernels | after.kernels or not total_ns:
        return None
    return sum(runs.gpu_ns for name, runs in before.kernels.items() if name in after.kernels) / total_ns


def _differs(old: float | None, new: float | None) -> bool:
    return old is not None and new is not None and abs(new - old) > MAX_WORK_DIFFERENCE * max(old, new)


def gpus(diagnosis: Diagnosis) -> list[str]:
    """The GPU models that a trace ran on."""
    return sorted({clean(device.name) for device in diagnosis.devices})


def _step(diagnosis: Diagnosis) -> str:
    window = diagnosis.window
    named = f' "{clean(window.step_name)}"' if window.source != LAUNCH_PERIOD and window.step_name else ""
    return STEPS.get(window.source, window.source) + named
