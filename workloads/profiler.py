"""A small autoencoder, left with the calls with which somebody once profiled it step by step.

Fault: each step starts the profiler and stops it again, and at each stop the profiler stores what it has.
Fix: without these calls.
Control: NVTX ranges around the parts of a longer step, which were left in as well and cost next to nothing.
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
