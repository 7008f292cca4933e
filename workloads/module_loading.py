"""An MLP with an activation of its own, written as a CUDA kernel, whose slope shrinks from step to step.

Fault: the slope stands in the kernel's source, so that each step compiles and loads a new kernel.
Fix: the slope is an argument of one kernel.
Control: eight slopes in turn, each in the source of its own kernel, all of which the warm-up has compiled.
"""

import os
from collections.abc import Callable
from functools import cache

import torch
from harness import arguments
from torch import nn

os.environ["USE_PYTORCH_KERNEL_CACHE"] = "0"  # on disk, where an earlier run would have left the kernels
run = arguments(__file__, __doc__)
width = run.size(4096, 16)
model = nn.Sequential(*(nn.Linear(width, width, bias=False) for _ in range(3))).to(run.device)
model.requires_grad_(requires_grad=False)
batch = torch.randn(run.size(4096, 8), width, device=run.device)


@cache
def leaky(slope: str) -> Callable[..., torch.Tensor]:
    """The function that multiplies what is negative by the slope: a number, or `slope` for one that is an argument."""
    defaults = {"slope": 0.0} if slope == "slope" else {}
    if not run.on_gpu:
        return lambda x, **given: torch.where(x > 0, x, x * float(given.get("slope", slope)))
    taken = "T x, T slope" if defaults else "T x"
    source = f"template <typename T> T leaky({taken}) {{ return x > T(0) ? x : x * T({slope}); }}"
    return torch.cuda.jiterator._create_jit_fn(source, **defaults)  # noqa: SLF001  its documented name


for step in run.loop():
    slope = step % 8 / 80 if run.control else 0.1 * 0.99**step
    activation, given = (leaky("slope"), {"slope": slope}) if run.fixed else (leaky(f"{slope:.9f}"), {})
    hidden = batch
    for layer in model:
        hidden = activation(layer(hidden), **given)  # plants: module_loading
