"""A small autoencoder that still has calls from an earlier attempt to profile single steps.

Fault: each step starts and stops the profiler, and at each stop the profiler stores its data.
Fix: no such calls.
Control: NVTX ranges around the parts of a longer step. They cost almost nothing.
"""

from contextlib import nullcontext

import torch
from harness import arguments
from torch import nn

from gapfinder.annotate import phase

run = arguments(__file__, __doc__)
width = run.size(1024, 16)
layers = [nn.Linear(width, width, bias=False), nn.ReLU(), nn.Linear(width, width, bias=False)]
model = nn.Sequential(*layers).to(run.device)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
batch = torch.randn(run.size(65536 if run.control else 6144, 8), width, device=run.device)
profiled = run.on_gpu and not run.fixed and not run.control
for _ in run.loop():
    if profiled:
        torch.cuda.profiler.start()
    with phase("forward") if run.control else nullcontext():
        loss = (model(batch) - batch).square().mean()
    with phase("backward") if run.control else nullcontext():
        loss.backward()
    with phase("optimizer") if run.control else nullcontext():
        optimizer.step()
        optimizer.zero_grad()
    if profiled:
        torch.cuda.profiler.stop()  # plants: profiler
