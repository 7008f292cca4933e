"""An MLP that is trained while a monitor makes histograms of latencies.

Fault: the monitor is a Python thread, and the training thread waits until the monitor releases the GIL.
Fix: the monitor is another process.
Control: the monitor is a thread, but it compresses its log, and releases the GIL while it does so.
"""

import os
import zlib
from multiprocessing import get_context
from threading import Event, Thread

import torch
from harness import arguments
from torch import nn

run = arguments(__file__, __doc__)
latencies = torch.rand(run.size(10_000, 100)).tolist()
log = os.urandom(run.size(1 << 23, 1 << 12))


def histogram() -> list[int]:
    """The number of latencies in each of 100 bins."""
    bins = [0] * 100
    for latency in latencies:
        bins[int(latency * 100)] += 1  # plants: lock_contention
    return bins


def monitor() -> None:
    """Make histograms, or compress the log, until the training has ended."""
    while not ended.is_set():
        if run.control:
            zlib.compress(log)
        else:
            histogram()


processes = get_context("fork")
ended = processes.Event() if run.fixed else Event()
monitoring = processes.Process(target=monitor, daemon=True) if run.fixed else Thread(target=monitor, daemon=True)
monitoring.start()
width = run.size(2048, 16)
layers = [nn.Linear(width, width, bias=False), nn.ReLU(), nn.Linear(width, width, bias=False)]
model = nn.Sequential(*layers).to(run.device)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
batch = torch.randn(run.size(16384 if run.control else 2048, 8), width, device=run.device)
for _ in run.loop():
    loss = model(batch).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
ended.set()
monitoring.join()
