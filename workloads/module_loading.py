"""An MLP with a custom activation, written as a CUDA kernel, whose slope becomes smaller in each step.

Fault: the slope is in the source of the kernel, so that each step compiles and loads a new kernel.
Fix: the slope is an argument of one kernel.
Control: eight slopes take turns, each in the source of its own kernel; the warm-up compiles all eight kernels.
"""

import os
from collections.abc import Callable
from functools import cache

import torch
from harness import arguments
from torch import nn

os.environ["USE_PYTORCH_KERNEL_CACHE"] = "0"  # no cache on disk, which would hold the kernels of an earlier run
run = arguments(__file__, __doc__)
width = run.size(4096, 16)
model = nn.Sequential(*(nn.Linear(width, width, bias=False) for _ in range(3))).to(run.device)
model.requires_grad_(requires_grad=False)
batch = torch.randn(run.size(4096, 8), width, device=run.device)


@cache
def leaky(slope: str) -> Callable[..., torch.Tensor]:
    """The activation that multiplies negative values by `slope`: a number, or the word "slope" if it is an argument."""
    defaults = {"slope": 0.0} if slope == "slope" else {}
    if not run.on_gpu:
        return lambda x, **arguments: torch.where(x > 0, x, x * float(arguments.get("slope", slope)))
    parameters = "T x, T slope" if defaults else "T x"
    source = f"template <typename T> T leaky({parameters}) {{ return x > T(0) ? x : x * T({slope}); }}"
    return torch.cuda.jiterator._create_jit_fn(source, **defaults)  # noqa: SLF001  its documented name


for step in run.loop():
    slope = step % 8 / 80 if run.control else 0.1 * 0.99**step
    activation, given = (leaky("slope"), {"slope": slope}) if run.fixed else (leaky(f"{slope:.9f}"), {})
    hidden = batch
    for layer in model:
        hidden = activation(layer(hidden), **given)  # plants: module_loading
