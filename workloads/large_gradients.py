"""An MLP on four GPUs that adds up the gradients of four micro-batches in each step.

Fault: DistributedDataParallel sends the gradients of each micro-batch, which takes longer than its backward pass.
Fix: each GPU adds up its gradients, and sends them once (no_sync).
Control: the gradients of each micro-batch are sent, but the micro-batches are large enough to hide it.
"""
# needs: 4 GPUs

from contextlib import nullcontext

import torch
from harness import Run, arguments
from torch import nn
from torch.nn.parallel import DistributedDataParallel

MICRO_BATCHES = 4


def train(run: Run) -> None:
    """Train on one rank."""
    torch.set_float32_matmul_precision("high")
    width = run.size(4096, 16)
    layers = [layer for _ in range(8) for layer in (nn.Linear(width, width, bias=False), nn.ReLU())]
    model = DistributedDataParallel(nn.Sequential(*layers).to(run.device), bucket_cap_mb=64, gradient_as_bucket_view=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    batch = torch.randn(run.size(16384 if run.control else 1024, 8), width, device=run.device)
    for _ in run.loop():
        for remaining in reversed(range(MICRO_BATCHES)):
            with model.no_sync() if run.fixed and remaining else nullcontext():
                loss = model(batch).square().mean() / MICRO_BATCHES
                loss.backward()  # plants: communication
        optimizer.step()
        optimizer.zero_grad()


if __name__ == "__main__":
    arguments(__file__, __doc__).ranks(train, 4)
