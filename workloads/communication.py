"""An MLP on two GPUs, each with half of the batch, which add up their gradients.

Fault: one all-reduce after another once the backward pass is over. Nothing computes meanwhile.
Fix: DistributedDataParallel, which starts them during the backward pass, with gradients sent as bfloat16.
Control: DistributedDataParallel as well, with a larger batch on a narrower model: less to send, and more to hide it.
"""
# needs: 2 GPUs

import torch
from harness import Run, arguments
from torch import distributed, nn
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import bf16_compress_hook
from torch.nn.parallel import DistributedDataParallel


def train(run: Run) -> None:
    """One rank's part."""
    torch.set_float32_matmul_precision("high")
    width = run.size(2048 if run.control else 4096, 16)
    layers = [layer for _ in range(16) for layer in (nn.Linear(width, width, bias=False), nn.ReLU())]
    model: nn.Module = nn.Sequential(*layers).to(run.device)
    if run.fixed or run.control:
        model = DistributedDataParallel(model, bucket_cap_mb=128 if run.fixed else 25, gradient_as_bucket_view=True)
    if run.fixed and run.on_gpu:  # gloo has no bfloat16
        model.register_comm_hook(None, bf16_compress_hook)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    batch = torch.randn(run.size(16384 if run.control else 512, 8), width, device=run.device)
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
