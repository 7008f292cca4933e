"""A deep-equilibrium model: an encoder, and a cell that is applied to its output until it reaches a fixed point.

Fault: the cell is a CUDA graph of a few tiny kernels, launched once per iteration. The GPU pauses between two launches.
Fix: all iterations are one graph, and the cell has fused operations.
Control: one graph launch per iteration, but with few iterations and a large state, so that each graph takes long.
"""

import torch
from harness import arguments
from torch import nn

run = arguments(__file__, __doc__)
samples, width = run.size(65536 if run.control else 64, 4), run.size(1024, 16)
iterations = run.size(16 if run.control else 160, 3)
hidden = run.size(1024 if run.control else 65536, 16)
encoder = nn.Sequential(nn.Linear(width, hidden), nn.ReLU(), nn.Linear(hidden, width)).to(run.device)
encoder.requires_grad_(requires_grad=False)
batch = torch.randn(samples, width, device=run.device)
slope, bias = torch.randn(2, width, device=run.device)
target, state = torch.zeros_like(batch), torch.zeros_like(batch)


def iterate() -> None:
    """One iteration: the state moves towards the target by a factor that depends on the state."""
    gate = torch.sigmoid(state * slope + bias)
    state.add_((target - state) * gate)


def iterate_fused() -> None:
    """The same iteration in half as many kernels."""
    state.lerp_(target, torch.addcmul(bias, state, slope).sigmoid_())


def settle() -> None:
    """All iterations."""
    for _ in range(iterations):
        iterate_fused()


replay = run.captured(settle if run.fixed else iterate)
for _ in run.loop():
    target.copy_(encoder(batch))
    state.zero_()
    if run.fixed:
        replay()
    else:
        for _ in range(iterations):
            replay()  # plants: queue_latency
