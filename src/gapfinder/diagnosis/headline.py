"""The verdict in one sentence with its number, and the command to run next."""

import re

from gapfinder.diagnosis.model import GPU_BOUND, Cause, Device, Kernel, Window
from gapfinder.diagnosis.units import clean, count, duration, percent

TINY_NS = 10_000  # as long as one launch takes the CPU under the profiler (nsys 2025.3 on an H200 host: 4 to 10 us)


def headline(verdict: str, causes: list[Cause], devices: list[Device], window: Window, kernels: list[Kernel]) -> str:
    """One sentence. Times are per step and per GPU."""
    total_ns = sum(device.window_ns for device in devices)
    busy = sum(device.compute_ns for device in devices) / total_ns
    a_step = f"{duration(window.step_ns)} step" if window.source != "everything" else f"{duration(window.step_ns)} window"
    if verdict == GPU_BOUND:
        most = f"; no cause costs 3 %, the largest is {causes[0].cause} with {percent(causes[0].share)}" if causes else ""
        if causes and causes[0].share >= 0.03:
            most = f"; what is lost most is {causes[0].cause} with {percent(causes[0].share)}, which is the GPU's own pace between queued ops"
        return f"The GPU is the bound: it computes {percent(busy)} of each {a_step}{most}. {_work(kernels)}"
    cause = next(cause for cause in causes if cause.cause == verdict)
    gpus = f" of {count(len(devices), 'GPU')}" if len(devices) > 1 else ""
    return (
        f"{duration(cause.share * window.step_ns)} of each {a_step} ({percent(cause.share)}{gpus}) are lost to {verdict}: {cause.meaning}."
    )


def _work(kernels: list[Kernel]) -> str:
    total_ns = sum(kernel.gpu_ns for kernel in kernels)
    runs = sum(kernel.count for kernel in kernels)
    if not runs:
        return "Only whole CUDA graphs or copies run in it."
    top = kernels[0]
    mean_ns = total_ns / runs
    if mean_ns < TINY_NS:
        return f"Its kernels are many and tiny ({runs:,}, {duration(mean_ns)} on average): fusing them is the way to speed."
    return f"Most of it is {clean(top.name)} ({percent(top.gpu_ns / total_ns)}, {duration(top.mean_ns)} each)."


def next_command(verdict: str, kernels: list[Kernel]) -> str | None:
    """The Nsight Compute command for the kernel to look at next, when the GPU is the bound."""
    named = [kernel for kernel in kernels if kernel.name != "CUDA graph"]
    if verdict != GPU_BOUND or not named:
        return None
    name = re.escape(re.split(r"[<(\s]", clean(named[0].name))[0]).replace("'", "")
    return f"ncu --set full --kernel-name 'regex:^{name}' --launch-skip 20 --launch-count 3 YOUR_COMMAND"
