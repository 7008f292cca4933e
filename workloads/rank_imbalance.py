"""A transformer block on two GPUs that adds up the gradients of four micro-batches with texts of two lengths.

Fault: the texts are distributed sorted by length: one rank gets the short texts, and waits for the other rank.
Fix: the texts are distributed in turn, so that each rank gets as many long texts.
Control: each rank gets as many long texts, but one rank starts with them and the other ends with them.
"""
# needs: 2 GPUs

from contextlib import nullcontext

import torch
from harness import Run, arguments
from torch import nn
from torch.nn.parallel import DistributedDataParallel

RANKS = 2


def train(run: Run) -> None:
    """Train on one rank."""
    width, texts = run.size(768, 16), run.size(8, 2)
    short, long = run.size(512, 4), run.size(1536, 12)
    block = nn.TransformerEncoderLayer(width, run.size(12, 2), 4 * width, dropout=0.0, batch_first=True)
    model = DistributedDataParallel(block.to(run.device))
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    batches = {length: torch.randn(texts, length, width, device=run.device) for length in (short, long)}
    by_length = [short] * 4 + [long] * 4
    for _ in run.loop():
        if run.fixed:
            mine = by_length[run.rank :: RANKS]
        elif run.control:
            mine = sorted(by_length[run.rank :: RANKS], reverse=run.rank == 1)
        else:
            mine = by_length[4 * run.rank : 4 * run.rank + 4]  # plants: rank_imbalance
        for number, length in enumerate(mine, 1):
            with nullcontext() if number == len(mine) else model.no_sync():
                loss = model(batches[length]).square().mean()
                loss.backward()
        optimizer.step()
        optimizer.zero_grad()


if __name__ == "__main__":
    arguments(__file__, __doc__).ranks(train, RANKS)
