"""A transformer sharded over four GPUs (FSDP), whose training loop counts the distinct pairs of tokens in each batch.

Fault: rank 0 counts the pairs in the texts of all ranks, in Python, before it launches a step.
Fix: each rank counts the pairs in its own texts, while its GPU still works on the step before.
Control: rank 0 counts for all ranks, but in few of the texts, while its GPU still works on the step before.
"""
# needs: 4 GPUs

from itertools import pairwise

import torch
from harness import Run, arguments
from torch import distributed, nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard


def distinct_pairs(texts: list[list[int]]) -> int:
    """The number of distinct pairs of neighbouring tokens in the texts."""
    return sum(len(set(pairwise(text))) for text in texts)  # plants: host_compute on rank 0


def train(run: Run) -> None:
    """Train on one rank."""
    ranks = distributed.get_world_size()
    width = run.size(2048, 16)
    layers = [
        nn.TransformerEncoderLayer(width, run.size(16, 2), 4 * width, dropout=0.0, batch_first=True, device=run.device)
        for _ in range(run.size(4, 2))
    ]
    model = nn.Sequential(*layers)
    mesh = init_device_mesh(run.device.type, (ranks,))
    for part in (*layers, model):
        fully_shard(part, mesh=mesh, mp_policy=MixedPrecisionPolicy(param_dtype=torch.bfloat16))
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    batch = torch.randn(run.size(24, 2), run.size(1024, 8), width, device=run.device)
    texts = torch.randint(0, 5000, (run.size(256, 4), run.size(4096, 32))).tolist()
    if run.fixed:
        mine = texts[run.rank :: ranks]
    elif run.rank == 0:
        mine = texts[: run.size(48, 1)] if run.control else texts
    else:
        mine = []
    pairs = 0
    for _ in run.loop():
        pairs += distinct_pairs(mine)
        loss = model(batch).float().square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


if __name__ == "__main__":
    arguments(__file__, __doc__).ranks(train, 4)
