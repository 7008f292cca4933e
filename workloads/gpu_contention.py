"""A training on a GPU that another program uses, too.

Fault: the other program computes all the time, so that the two take turns on the GPU.
Fix: the other program runs elsewhere.
Control: the other program has a context on the GPU, and computes nothing.
"""

# capture: --nsys-flag=--gpuctxsw=true
import sys

import torch
from harness import arguments, beside
from torch import nn

OTHER = """
import sys, time, torch
ones = torch.ones(4096, 4096, device=sys.argv[1])
print("ready", flush=True)
while True:
    torch.mm(ones, ones).sum().item() if sys.argv[2] == "works" else time.sleep(1)
"""

run = arguments(__file__, __doc__)
width = run.size(2048, 16)
model = nn.Sequential(*[layer for _ in range(12) for layer in (nn.Linear(width, width), nn.ReLU())]).to(run.device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
batch = torch.randn(run.size(4096, 8), width, device=run.device)
others = []
if run.on_gpu and not run.fixed:
    others = [[sys.executable, "-c", OTHER, "cuda", "rests" if run.control else "works"]]  # plants: gpu_contention
with beside(others) as processes:
    for process in processes:
        if process.stdout:
            process.stdout.readline()
    for _ in run.loop():
        optimizer.zero_grad()
        model(batch).square().mean().backward()
        optimizer.step()
