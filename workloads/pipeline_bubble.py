"""An MLP in two stages, each on a GPU of its own, which hand over activations and gradients in micro-batches (GPipe).

Fault: a batch is cut into two micro-batches. Each stage waits for the other during a third of the step.
Fix: the same batch is cut into sixteen. Each stage waits for the first and the last of them alone.
Control: a larger batch in 64 micro-batches, with the bubble that every pipeline has.
"""
# needs: 2 GPUs

import torch
from harness import Run, arguments
from torch import distributed, nn

FIRST, LAST = 0, 1


def train(run: Run) -> None:
    """One rank's part, which is one stage."""
    torch.set_float32_matmul_precision("high")
    width = run.size(4096, 16)
    layers = [layer for _ in range(4) for layer in (nn.Linear(width, width, bias=False), nn.ReLU())]
    # its weights make the first stage compute as many gradients as the last one
    stage = nn.Sequential(nn.LayerNorm(width), *layers).to(run.device)
    optimizer = torch.optim.SGD(stage.parameters(), lr=1e-3)
    many = run.size(64 if run.control else 16, 4)
    parts = many if run.fixed or run.control else 2  # plants: pipeline_bubble
    batch = torch.randn(run.size(4096, 1) * many, width, device=run.device).chunk(parts)
    for _ in run.loop():
        if run.rank == FIRST:
            first_stage(stage, batch)
        else:
            last_stage(stage, batch)
        optimizer.step()
        optimizer.zero_grad()


def first_stage(stage: nn.Module, batch: tuple[torch.Tensor, ...]) -> None:
    """Send the activations of each micro-batch; then go back through them as their gradients come."""
    activations, sent = [], []
    for part in batch:
        activations.append(stage(part))
        sent.append(distributed.isend(activations[-1].detach(), LAST))
    gradients, received = receive(batch, LAST)
    for activation, gradient, arrival in zip(activations, gradients, received, strict=True):
        arrival.wait()
        activation.backward(gradient)
    wait(sent)


def last_stage(stage: nn.Module, batch: tuple[torch.Tensor, ...]) -> None:
    """Take the activations as they come; then send back the gradients of each micro-batch."""
    inputs, received = receive(batch, FIRST)
    losses = []
    for part, arrival in zip(inputs, received, strict=True):
        arrival.wait()
        losses.append(stage(part.requires_grad_()).mean() / len(batch))
    sent = []
    for part, loss in zip(inputs, losses, strict=True):
        loss.backward()
        sent.append(distributed.isend(part.grad, FIRST))
    wait(sent)


def receive(batch: tuple[torch.Tensor, ...], stage: int) -> tuple[list[torch.Tensor], list[distributed.Work]]:
    """Memory for what the other stage will send for each micro-batch, and its arrivals, all of them begun."""
    buffers = [torch.empty_like(part) for part in batch]
    return buffers, [distributed.irecv(buffer, stage) for buffer in buffers]


def wait(sent: list[distributed.Work]) -> None:
    """Until all that was sent has left; on a GPU, the stream waits for it and not the CPU."""
    for work in sent:
        work.wait()


if __name__ == "__main__":
    arguments(__file__, __doc__).ranks(train, 2)
