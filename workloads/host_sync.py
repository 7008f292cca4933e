"""An MLP classifier that logs its running loss, and then prepares the next batch's labels on the CPU.

Fault: .item() reads the loss in every step. Then the GPU has no queued work while the CPU prepares the labels.
Fix: the loss is summed on the GPU, and read once after the loop.
Control: .item() in every step, but the CPU prepares the labels before it, while the GPU works.
"""

import time

import torch
from harness import arguments
from torch import nn

run = arguments(__file__, __doc__)
width = run.size(4096, 64)
model = nn.Sequential(*[layer for _ in range(6) for layer in (nn.Linear(width, width), nn.ReLU())]).to(run.device)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
batch = torch.randn(run.size(2048, 8), width, device=run.device)


def prepare_labels() -> None:
    """A few milliseconds of Python code, such as tokenizing the next batch."""
    ends = time.perf_counter() + (5e-3 if run.on_gpu else 1e-4)
    while time.perf_counter() < ends:
        sum(range(100))


total = torch.zeros((), device=run.device)
logged = 0.0
for _ in run.loop():
    loss = model(batch).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    if run.fixed:
        total += loss.detach()
    elif run.control:
        prepare_labels()
        logged += loss.item()
        continue
    else:
        logged += loss.item()  # plants: host_sync
    prepare_labels()
print(f"mean loss {(total.item() + logged) / run.steps:.4f}")
