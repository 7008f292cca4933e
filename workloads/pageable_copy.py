"""An autoencoder whose batches come from pageable host memory.

Fault: each batch is copied from pageable memory when it is needed. The GPU and the CPU wait for the copy.
Fix: the batches are in pinned memory, and the next batch is copied on another stream while this one is computed.
Control: the batch is on the GPU already, and each step copies only small weights from pinned memory.
"""

import torch
from harness import arguments
from torch import nn

run = arguments(__file__, __doc__)
cuda = torch.cuda if run.on_gpu else torch.cpu
samples, width = run.size(8192, 8), run.size(4096, 16)
layers = [nn.Linear(width, width // 4, bias=False), nn.ReLU(), nn.Linear(width // 4, width, bias=False)]
model = nn.Sequential(*layers).to(run.device)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
on_host = torch.randn(samples, width)
sample_weights = torch.ones(samples, 1)
if run.on_gpu and (run.fixed or run.control):
    on_host, sample_weights = on_host.pin_memory(), sample_weights.pin_memory()
weights_on_gpu = sample_weights.to(run.device)

copies = cuda.Stream()
buffers = [torch.empty(samples, width, device=run.device) for _ in range(2)]
copied, used = [cuda.Event(), cuda.Event()], [cuda.Event(), cuda.Event()]


def prefetch(step: int) -> None:
    """Copy the batch of a step into the buffer that was used two steps before."""
    copies.wait_event(used[step % 2])
    with cuda.stream(copies):
        buffers[step % 2].copy_(on_host, non_blocking=True)
    copied[step % 2].record(copies)


prefetch(0)
for step in run.loop():
    if run.fixed:
        prefetch(step + 1)
        cuda.current_stream().wait_event(copied[step % 2])
        batch = buffers[step % 2]
    elif run.control:
        weights_on_gpu.copy_(sample_weights, non_blocking=True)
        batch = buffers[0]
    else:
        batch = on_host.to(run.device)  # plants: copy
    loss = ((model(batch) - batch).square() * weights_on_gpu).mean()
    loss.backward()
    used[step % 2].record()
    optimizer.step()
    optimizer.zero_grad()
