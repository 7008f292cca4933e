"""A deep MLP on a GPU that other programs use, too.

Fault: torch.cuda.empty_cache() after each step frees the memory, and the next step allocates it again.
Fix: no empty_cache(). The allocator keeps the memory for the next step.
Control: each step takes and drops a gigabyte of scratch memory, which the allocator has in its cache.
"""

import torch
from harness import arguments
from torch import nn

run = arguments(__file__, __doc__)
width = run.size(1024, 16)
layers = [layer for _ in range(16) for layer in (nn.Linear(width, width, bias=False), nn.ReLU())]
model = nn.Sequential(*layers).to(run.device)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
batch = torch.randn(run.size(2560, 8), width, device=run.device)
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
