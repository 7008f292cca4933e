"""A small MLP, whose many launches keep one CPU core busy.

Fault: three processes that only compute share its core, so that the thread that launches waits for its turn.
Fix: these processes run on the other cores.
Control: the training has one core, and has it alone.
"""

import os
import sys

import torch
from harness import arguments, beside
from torch import nn

run = arguments(__file__, __doc__)
torch.set_num_threads(1)
core, *others = sorted(os.sched_getaffinity(0))
os.sched_setaffinity(0, {core})
width = run.size(256, 16)
model = nn.Sequential(*[layer for _ in range(12) for layer in (nn.Linear(width, width), nn.ReLU())]).to(run.device)
optimizer = torch.optim.AdamW(model.parameters(), fused=run.on_gpu)
batch = torch.randn(64, width, device=run.device)
busy = [sys.executable, "-c", "while True: pass"]
with beside([] if run.control else [busy] * 3) as processes:  # plants: cpu_contention
    if run.fixed and others:
        for process in processes:
            os.sched_setaffinity(process.pid, others)
    for _ in run.loop():
        optimizer.zero_grad()
        model(batch).square().mean().backward()
        optimizer.step()
