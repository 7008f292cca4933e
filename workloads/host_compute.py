"""A transformer block whose training loop counts the distinct pairs of tokens in each batch.

Fault: Python code counts the pairs before it launches a step. This takes longer than the GPU's work.
Fix: other processes count the pairs.
Control: the pairs are counted before each step, but in few of the texts, while the GPU still works on the step before.
"""

from itertools import pairwise
from multiprocessing import get_context

import torch
from harness import arguments
from torch import nn

run = arguments(__file__, __doc__)
texts = torch.randint(0, 5000, (run.size(64, 4), run.size(4096, 32))).tolist()
counted_texts = texts[: run.size(6, 1)] if run.control else texts


def distinct_pairs() -> int:
    """The number of distinct pairs of neighbouring tokens in the texts."""
    return sum(len(set(pairwise(text))) for text in counted_texts)  # plants: host_compute


counters = get_context("fork").Pool(4) if run.fixed else None
width = run.size(2048, 16)
model = nn.TransformerEncoderLayer(width, run.size(16, 2), 4 * width, dropout=0.0, batch_first=True).to(run.device)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
batch = torch.randn(run.size(4, 2), run.size(512, 8), width, device=run.device)
counts = []
for _ in run.loop():
    counts.append(counters.apply_async(distinct_pairs) if counters else distinct_pairs())
    loss = model(batch).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
if counters:
    counts = [count.get() for count in counts]
    counters.terminate()
print(f"distinct pairs per batch: {sum(counts) / len(counts):.0f}")
