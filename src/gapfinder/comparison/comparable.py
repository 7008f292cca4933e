"""Whether two traces can be compared, and what to keep in mind where they can."""

from gapfinder.comparison.bootstrap import FEWEST
from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.diagnosis.measured import Measured
from gapfinder.gates.expression import COMPUTE
from gapfinder.units import clean, count, duration, percent

SAME_WORK = 0.05  # compute and activities per step that differ by more are another step's, or another program's
MOSTLY = 0.5  # of the time of kernels: two captures of one program have nearly all of it in common
GRAPH = "CUDA graph"  # the name that top_kernels gives to whole graphs
STEPS = {"nvtx": "an NVTX range", "launch period": "the period of the launch sequence"}


def obstacles(before: Measured, after: Measured) -> list[str]:
    """Why step times cannot be compared: no steps or other steps, another number or kind of GPU, another program."""
    was, is_ = before.diagnosis, after.diagnosis
    found = [
        f"no steps were found in {which}, so its step time is unknown"
        for which, trace in (("BEFORE", before), ("AFTER", after))
        if trace.quantities.step_ns is None
    ]
    if not found and _step(was) != _step(is_):
        found.append(f"a step is {_step(was)} in BEFORE and {_step(is_)} in AFTER")
    if len(was.devices) != len(is_.devices):
        found.append(f"BEFORE ran on {count(len(was.devices), 'GPU')} and AFTER on {len(is_.devices)}")
    if gpus(was) != gpus(is_):
        found.append(f"BEFORE ran on {' and '.join(gpus(was))}, AFTER on {' and '.join(gpus(is_))}")
    if _in_common(before, after) == 0:
        found.append("no kernel of BEFORE runs in AFTER")
    return found


def remarks(before: Measured, after: Measured) -> list[str]:
    """What else may make a difference: other work in a step, graphs that hide theirs, few steps."""
    found = []
    both = (("BEFORE", before), ("AFTER", after))
    if graphs := [which for which, trace in both if GRAPH in trace.kernels]:
        found.append(f"CUDA graphs were traced as a whole in {' and '.join(graphs)}: the activities inside are not counted.")
    for kind in [] if graphs else sorted(before.activities | after.activities):
        was, is_ = (trace.per_step(trace.activities.get(kind, 0)) for trace in (before, after))
        if _differs(was, is_):
            found.append(f"A step has {was:.4g} {kind} activities in BEFORE and {is_:.4g} in AFTER.")
    common = _in_common(before, after)
    if common is not None and common < MOSTLY:
        found.append(f"Kernels that run in both take {percent(common)} of the GPU's time in BEFORE: is it the same program?")
    was, is_ = (trace.per_step_ns(COMPUTE) for trace in (before, after))
    if _differs(was, is_):
        found.append(
            f"The GPU computes {duration(was or 0)} a step in BEFORE and {duration(is_ or 0)} in AFTER: "
            "other work, other kernels or another clock."
        )
    return found + [
        f"{which} has {count(len(trace.lengths_ns), 'step')}: an interval takes {FEWEST} and more."
        for which, trace in both
        if 0 < len(trace.lengths_ns) < FEWEST
    ]


def _in_common(before: Measured, after: Measured) -> float | None:
    """The share of BEFORE's kernel time in kernels that run in AFTER too; None where graphs hide them, or none took time."""
    total_ns = sum(runs.gpu_ns for runs in before.kernels.values())
    if GRAPH in before.kernels | after.kernels or not total_ns:
        return None
    return sum(runs.gpu_ns for name, runs in before.kernels.items() if name in after.kernels) / total_ns


def _differs(was: float | None, is_: float | None) -> bool:
    return was is not None and is_ is not None and abs(is_ - was) > SAME_WORK * max(was, is_)


def gpus(diagnosis: Diagnosis) -> list[str]:
    """The products that a trace ran on."""
    return sorted({clean(device.name) for device in diagnosis.devices})


def _step(diagnosis: Diagnosis) -> str:
    window = diagnosis.window
    named = f' "{clean(window.step_name)}"' if window.source != "launch period" and window.step_name else ""
    return STEPS.get(window.source, window.source) + named
