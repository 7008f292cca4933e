"""A small model that is trained with AdamW on features that a large model computed before.

Fault: each step launches hundreds of small kernels, most of them AdamW's. The CPU takes longer than the GPU.
Fix: the whole step is captured as one CUDA graph.
Control: the same small kernels, but the large model runs before them in every step, and they are queued behind it.
"""

import torch
from harness import arguments
from torch import nn

run = arguments(__file__, __doc__)
samples, width = run.size(64, 8), run.size(256, 16)
head = nn.Sequential(*[layer for _ in range(12) for layer in (nn.Linear(width, width), nn.ReLU())]).to(run.device)
optimizer = torch.optim.AdamW(head.parameters(), lr=1e-4, foreach=False, fused=False, capturable=run.on_gpu)
features = torch.randn(samples, width, device=run.device)


def train(features: torch.Tensor) -> None:
    """One step of the small model."""
    optimizer.zero_grad()
    head(features).square().mean().backward()
    optimizer.step()  # plants: launch_bound


if run.control:
    depth = run.size(8192, 32)
    layers = [nn.Linear(depth, depth), nn.ReLU(), nn.Linear(depth, depth), nn.ReLU(), nn.Linear(depth, width)]
    backbone = nn.Sequential(*layers).to(run.device).requires_grad_(requires_grad=False)
    patches = torch.randn(samples, run.size(128, 2), depth, device=run.device)

train_replayed = run.captured(lambda: train(features)) if run.fixed else None
for _ in run.loop():
    if train_replayed:
        train_replayed()
    elif run.control:
        train(backbone(patches).mean(dim=1))
    else:
        train(features)
