"""The verdict in one sentence with its number, and the command to run next."""

import re

from gapfinder.diagnosis.diagnosis import Device, Kernel
from gapfinder.diagnosis.finding import GPU_BOUND, Finding
from gapfinder.diagnosis.window import DiagnosedWindow
from gapfinder.pipeline.causes import USUAL_SHARE
from gapfinder.units import duration, percent, shortened

MOSTLY = 0.8  # of a cause's time on one GPU: that one has it
NAME_CHARS = 40
TINY_NS = 10_000  # as long as one launch takes the CPU under the profiler (nsys 2025.3 on an H200 host: 4 to 10 us)


def headline(verdict: str, causes: list[Finding], devices: list[Device], window: DiagnosedWindow, kernels: list[Kernel]) -> str:
    """One sentence. Times are per step; of several GPUs those of the one that loses, or the mean."""
    whole = window.in_steps == 1 and window.source in ("everything", "time range")  # no step is known
    a_step = f"{duration(window.step_ns)} {'window' if whole else 'step'}"
    if verdict == GPU_BOUND:
        return _gpu_bound(causes, devices, a_step, kernels)
    cause = next(cause for cause in causes if cause.cause == verdict)
    worst = max(devices, key=lambda device: device.causes.get(verdict, 0))
    if len(devices) > 1 and worst.causes[verdict] >= MOSTLY * cause.lost_ns:
        share = worst.causes[verdict] / worst.window_ns
        who = f"GPU {worst.gpu} loses {duration(share * window.step_ns)} of each {a_step} ({percent(share)})"
    else:
        who = f"{duration(cause.share * window.step_ns)} of each {a_step} ({percent(cause.share)}"
        who += f", mean of {len(devices)} GPUs) are lost" if len(devices) > 1 else ") are lost"
    without = f"; without it about {duration(cause.predicted_step_ns)}" if cause.predicted_step_ns is not None else ""
    return f"{who} to {verdict}: {cause.meaning}{without}."


def _gpu_bound(causes: list[Finding], devices: list[Device], a_step: str, kernels: list[Kernel]) -> str:
    busy = sum(device.compute_ns for device in devices) / sum(device.window_ns for device in devices)
    rest = ""
    largest = max(causes, key=lambda cause: cause.share, default=None)
    if largest and largest.share < USUAL_SHARE:
        rest = f"; no cause costs 3 %, the largest is {largest.cause} with {percent(largest.share)}"
    elif largest:
        rest = f"; {percent(largest.share)} is {largest.cause}, its own pace between queued activities"
    return f"The GPU is the bound: it computes {percent(busy)} of each {a_step}{rest}. {_work(kernels)}"


def _work(kernels: list[Kernel]) -> str:
    total_ns = sum(kernel.gpu_ns for kernel in kernels)
    runs = sum(kernel.count for kernel in kernels)
    if not runs:
        return "Only copies run in it."
    mean_ns = total_ns / runs
    if mean_ns < TINY_NS:
        return f"Its kernels are many and tiny ({runs:,}, {duration(mean_ns)} on average): fusing them is the way to speed."
    top = kernels[0]
    return f"Most of it is {shortened(top.name, NAME_CHARS)} ({percent(top.gpu_ns / total_ns)}, {duration(top.mean_ns)} each)."


def next_command(verdict: str, kernels: list[Kernel]) -> str | None:
    """The Nsight Compute command for the kernel to look at next, when the GPU is the bound."""
    named = [kernel for kernel in kernels if kernel.name != "CUDA graph"]
    if verdict != GPU_BOUND or not named:
        return None
    name = re.escape(re.split(r"[<(\s]", named[0].name)[0][:NAME_CHARS]).replace("'", "")
    return f"ncu --set full --kernel-name 'regex:^{name}' --launch-skip 20 --launch-count 3 YOUR_COMMAND"
