"""The headline: the verdict in one sentence with its number. Also the command to run next."""

import re

from gapfinder.diagnosis.cause import GPU_BOUND, DiagnosedCause
from gapfinder.diagnosis.device import Device, compute_share
from gapfinder.diagnosis.diagnosis import WHOLE_GRAPHS, Kernel
from gapfinder.diagnosis.requests import Requests
from gapfinder.diagnosis.window import DiagnosedWindow
from gapfinder.pipeline.cause_spec import USUAL_SHARE
from gapfinder.units import between, common_chars, duration, percent, shortened

ONE_GPU_SHARE = 0.8  # if one GPU has this share of a cause's lost time, the headline names that GPU
PATTERN_CHARS = 56  # of the name of a kernel, at least: what a line holds, and a shell must not break
NAME_CHARS = 40
MIN_COMPUTE_SHARE = 0.05  # of a kernel that is worth a look: where CUDA graphs were traced as a whole, theirs have no names
# A kernel shorter than its launch is tiny. A launch takes the CPU 4 to 10 us under the profiler (nsys 2025.3, H200 host).
TINY_NS = 10_000


def headline(
    verdict: str,
    causes: list[DiagnosedCause],
    devices: list[Device],
    window: DiagnosedWindow,
    kernels: list[Kernel],
    requests: Requests | None = None,
    sharing: int = 1,
    slowed: float = 0,
) -> str:
    """The headline. Times are per step. With several GPUs they are those of the GPU that loses most of it, or the mean.

    For a server they are per request: shares of the time in which the server is busy with one. `sharing` is the number of
    processes that compute on one GPU; `slowed` is how much longer kernels run for that, as a share of the window.
    """
    if requests and _is_of_requests(verdict, causes, devices, requests):
        return _of_requests(verdict, causes, window, kernels, requests)
    length = duration(window.step_ns)
    a_step = length if window.is_one else f"each {length} {window.unit}"
    if verdict == GPU_BOUND:
        if slowed >= USUAL_SHARE:
            work = f"Kernels take {duration(slowed * window.step_ns)} of it longer where another process's run beside them."
        else:
            work = _work(kernels)
        return _gpu_bound(causes, devices, a_step, work, sharing)
    cause = next(cause for cause in causes if cause.cause == verdict)
    worst = max(devices, key=lambda device: device.causes.get(verdict, 0))
    if len(devices) > 1 and worst.causes[verdict] >= ONE_GPU_SHARE * cause.lost_ns:
        share = worst.causes[verdict] / worst.window_ns
        who = f"GPU {worst.gpu} loses {duration(share * window.step_ns)} of {a_step} ({percent(share)})"
    else:
        who = f"{duration(cause.share * window.step_ns)} of {a_step} ({percent(cause.share)}"
        who += f", mean of {len(devices)} GPUs) are lost" if len(devices) > 1 else ") are lost"
    return f"{who} to {verdict}: {cause.meaning}{_without(cause)}."


def _without(cause: DiagnosedCause) -> str:
    if cause.predicted_range_ns:
        return f"; without it {between(*cause.predicted_range_ns)}"
    return f"; without it about {duration(cause.predicted_step_ns)}" if cause.predicted_step_ns is not None else ""


def _is_of_requests(verdict: str, causes: list[DiagnosedCause], devices: list[Device], requests: Requests) -> bool:
    """Whether most of what is lost to the verdict is lost while the server works on requests."""
    lost_ns = sum(cause.lost_ns for cause in causes if cause.cause == verdict) / len(devices)
    return 2 * requests.causes.get(verdict, 0) * requests.requests >= lost_ns


def _of_requests(
    verdict: str, causes: list[DiagnosedCause], window: DiagnosedWindow, kernels: list[Kernel], requests: Requests
) -> str:
    busy = f"the {duration(requests.busy_ns)} for which the server is busy with each request"
    if verdict == GPU_BOUND:
        computes = percent(requests.compute_ns / requests.busy_ns)
        return f"The GPU is the bottleneck: it computes {computes} of {busy}. {_work(kernels)}"
    cause = next(cause for cause in causes if cause.cause == verdict)
    lost_ns = requests.causes.get(verdict, 0)
    without_ns = requests.without(cause, window)
    without = f"; without it about {duration(without_ns)}" if without_ns is not None else ""
    lost = f"{duration(lost_ns)} of {busy} ({percent(lost_ns / requests.busy_ns)}) are lost"
    return f"{lost} to {verdict}: {cause.meaning}{without}."


def _gpu_bound(causes: list[DiagnosedCause], devices: list[Device], a_step: str, work: str, sharing: int) -> str:
    busy = compute_share(devices)
    rest = f", for {sharing} processes that share it" if sharing > 1 else ""
    largest = max(causes, key=lambda cause: cause.share, default=None)
    if largest and largest.share < USUAL_SHARE:
        rest += f"; no cause costs {100 * USUAL_SHARE:.0f} %, the largest is {largest.cause} with {percent(largest.share)}"
    elif largest:
        rest += f"; {percent(largest.share)} is {largest.cause}: {largest.meaning}"
    return f"The GPU is the bottleneck: it computes {percent(busy)} of {a_step}{rest}. {work}"


def _computing(kernels: list[Kernel]) -> list[Kernel]:
    """Without those of NCCL: while compute hides them, they cost nothing, and Nsight Compute cannot run one rank's alone."""
    return [kernel for kernel in kernels if kernel.kind == "compute"]


def _work(all_kernels: list[Kernel]) -> str:
    kernels = _computing(all_kernels)
    total_ns = sum(kernel.gpu_ns for kernel in kernels)
    runs = sum(kernel.times for kernel in kernels)
    if not runs:
        return "It runs no kernels that compute."
    mean_ns = total_ns / runs
    if mean_ns < TINY_NS:
        return f"Its kernels are many and tiny ({runs:,}, {duration(mean_ns)} on average): fuse them."
    top = kernels[0]
    share = percent(top.gpu_ns / total_ns)
    return f"The kernel that takes most of it is {shortened(top.name, NAME_CHARS)} ({share}, {duration(top.mean_ns)} each)."


def next_command(verdict: str, all_kernels: list[Kernel]) -> str | None:
    """If the GPU is the bottleneck, the Nsight Compute command for the kernel that computes for the longest, if that is much."""
    kernels = _computing(all_kernels)
    named = [kernel for kernel in kernels if kernel.name != WHOLE_GRAPHS]
    if verdict != GPU_BOUND or not named or named[0].gpu_ns < MIN_COMPUTE_SHARE * sum(kernel.gpu_ns for kernel in kernels):
        return None
    pattern = _pattern(*(re.split(r"[<(\s]", kernel.name)[0].replace("'", "") for kernel in named))
    return f"ncu --set full --kernel-name 'regex:^{pattern}' --launch-skip 20 --launch-count 3 YOUR_COMMAND"


def _pattern(name: str, *others: str) -> str:
    """A regular expression for a kernel: how its name begins, and, if others begin so, where they differ first and last."""
    if len(name) <= PATTERN_CHARS:
        return re.escape(name) + "$"
    common = {common_chars(name, other) for other in others if other != name}
    if not common or max(common) < PATTERN_CHARS:
        return re.escape(name[:PATTERN_CHARS])
    kept = {*range(PATTERN_CHARS // 3)}
    for place in {min(place for place in common if place >= PATTERN_CHARS // 3), max(common)}:
        kept |= {*range(place - 5, min(place + 10, len(name)))}
    runs = "".join(char if at in kept else "\0" for at, char in enumerate(name)).strip("\0")
    return ".*".join(map(re.escape, re.split("\0+", runs)))
