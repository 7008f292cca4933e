"""An MLP on two GPUs. Each GPU has half of the batch, and they add up their gradients.

Fault: all all-reduces run after the backward pass. Nothing computes at the same time.
Fix: DistributedDataParallel, which starts the all-reduces during the backward pass.
Control: DistributedDataParallel with a larger batch and a narrower model: the all-reduces are short, and compute hides them.
"""
# needs: 2 GPUs

import torch
from harness import Run, arguments
from torch import distributed, nn
from torch.nn.parallel import DistributedDataParallel


def train(run: Run) -> None:
    """Train on one rank."""
    torch.set_float32_matmul_precision("high")
    width = run.size(2048 if run.control else 4096, 16)
    layers = [layer for _ in range(16) for layer in (nn.Linear(width, width, bias=False), nn.ReLU())]
    model: nn.Module = nn.Sequential(*layers).to(run.device)
    if run.fixed or run.control:
        model = DistributedDataParallel(model, bucket_cap_mb=64, gradient_as_bucket_view=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    batch = torch.randn(run.size(16384 if run.control else 1024, 8), width, device=run.device)
    for _ in run.loop():
        loss = model(batch).square().mean() / distributed.get_world_size()
        loss.backward()
        if not (run.fixed or run.control):
            for parameter in model.parameters():
                distributed.all_reduce(parameter.grad)  # plants: communication
        optimizer.step()
        optimizer.zero_grad()


if __name__ == "__main__":
    arguments(__file__, __doc__).ranks(train, 2)
