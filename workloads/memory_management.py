"""A deep MLP on a GPU whose memory others want too.

Fault: torch.cuda.empty_cache() after each step gives the memory back, and the next step allocates it again.
Fix: without it. The allocator keeps the memory for the next step.
Control: a gigabyte of scratch memory is taken and dropped in each step, which the allocator has at hand.
"""

import torch
from harness import arguments
from torch import nn

run = arguments(__file__, __doc__)
width = run.size(1024, 16)
layers = [layer for _ in range(16) for layer in (nn.Linear(width, width, bias=False), nn.ReLU())]
model = nn.Sequential(*layers).to(run.device)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
batch = torch.randn(run.size(4096, 8), width, device=run.device)
for _ in run.loop():
    if run.control:
        scratch = torch.empty(run.size(1 << 30, 1 << 10), dtype=torch.uint8, device=run.device)
        del scratch
    loss = model(batch).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    if not (run.fixed or run.control):
        torch.cuda.empty_cache()  # plants: memory_management
