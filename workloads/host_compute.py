"""A transformer block whose training loop measures how varied the texts of each batch are.

Fault: the distinct pairs of tokens are counted in Python before each step is launched, for longer than the GPU works.
Fix: other processes count them.
Control: counted before each step as well, but in few of the texts, while the GPU still works on the step before.
"""

from itertools import pairwise
from multiprocessing import get_context

import torch
from harness import arguments
from torch import nn

run = arguments(__file__, __doc__)
texts = torch.randint(0, 5000, (run.size(64, 4), run.size(4096, 32))).tolist()
looked_at = texts[: run.size(6, 1)] if run.control else texts


def distinct_pairs() -> int:
    """How many pairs of neighbouring tokens the texts have, each counted once."""
    return sum(len(set(pairwise(text))) for text in looked_at)  # plants: host_compute


counters = get_context("fork").Pool(4) if run.fixed else None
width = run.size(2048, 16)
model = nn.TransformerEncoderLayer(width, run.size(16, 2), 4 * width, dropout=0.0, batch_first=True).to(run.device)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
batch = torch.randn(run.size(4, 2), run.size(512, 8), width, device=run.device)
counted = []
for _ in run.loop():
    counted.append(counters.apply_async(distinct_pairs) if counters else distinct_pairs())
    loss = model(batch).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
if counters:
    counted = [count.get() for count in counted]
    counters.terminate()
print(f"distinct pairs per batch: {sum(counted) / len(counted):.0f}")
