"""An autoencoder that saves its weights after every fourth step.

Fault: the training thread writes the checkpoint, and waits until it is on the disk.
Fix: the weights are copied to pinned memory, and another thread writes them.
Control: one line in a log after every step, which the operating system writes later.
"""

import os
import tempfile
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import torch
from harness import arguments
from torch import nn

run = arguments(__file__, __doc__)
width = run.size(2048, 16)
layers = [nn.Linear(width, width // 2, bias=False), nn.ReLU(), nn.Linear(width // 2, width, bias=False)]
model = nn.Sequential(*layers).to(run.device)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
batch = torch.randn(run.size(24576, 8), width, device=run.device)

folder = tempfile.TemporaryDirectory(prefix="gapfinder-")
weights = model.state_dict()
on_host = {name: torch.empty_like(weight, device="cpu", pin_memory=run.on_gpu) for name, weight in weights.items()}
copied = torch.cuda.Event() if run.on_gpu else torch.cpu.Event()


def write() -> None:
    """Write the weights on the host, each to its own file."""
    copied.synchronize()
    for name, weight in on_host.items():
        with Path(folder.name, name).open("wb") as file:
            torch.save(weight, file)  # plants: storage_io
            os.fsync(file.fileno())


writer = ThreadPoolExecutor(1)
written: Future[None] | None = None
with Path(folder.name, "log").open("w") as log:
    for step in run.loop():
        loss = (model(batch) - batch).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        if run.control:
            log.write(f"step {step} done\n")
        elif step % 4 == 3:
            if written:
                written.result()  # then the copy on the host can be reused
            for name, weight in weights.items():
                on_host[name].copy_(weight, non_blocking=True)
            copied.record()
            if run.fixed:
                written = writer.submit(write)
            else:
                write()
writer.shutdown()
folder.cleanup()
